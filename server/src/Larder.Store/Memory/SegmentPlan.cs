using System.Numerics;

namespace Larder.Store;

/// <summary>
/// How a shard's share of the memory is divided: sizes of segments, and how many there are numbers for. An address has 31 bits, in units of
/// 4 bytes: 8 GiB, of which each segment takes a usual segment's size, however small it is.
/// </summary>
internal readonly record struct SegmentPlan
{
    /// <summary>The largest share of a shard, in bytes: above it, entries of more than a segment would run out of numbers before the memory is full.</summary>
    public const long MaxShardBytes = 7L << 30;

    /// <summary>The smallest share of a shard, in bytes: 16 segments of the smallest size, four of which are kept free.</summary>
    public const long MinShardBytes = 256 << 10;

    private const uint UnitBytes = EntryHeader.Alignment;
    private const int MinSegmentBytes = 16 << 10;
    private const int MaxSegmentBytes = 1 << 20;

    // So that a queue's end is fine-grained: a tenth of the shard is a dozen segments.
    private const int SegmentsPerShard = 128;

    // A small segment's part of the usual size.
    private const int SmallFraction = 8;

    // An entry over this part of a segment gets its own, where there are numbers for so many: a sealed segment wastes at most this much at its end.
    private const int UsualSingleFraction = 8;

    // Numbers beyond those the share holds: for segments that wait for readers, which may pass the share by a sixteenth, and some at least.
    private const int SpareFraction = 16;
    private const int SpareAtLeast = 16;

    private SegmentPlan(long shardBytes)
    {
        SegmentBytes = SegmentBytesFor(shardBytes);
        SmallSegmentBytes = Math.Max(SegmentBytes / SmallFraction, MinSegmentBytes);
        UnitBits = BitOperations.Log2((uint)SegmentBytes / UnitBytes);
        long addressable = ExpiryWheel.ListMark >> UnitBits;
        long segments = (shardBytes + (shardBytes / SpareFraction)) / SegmentBytes;
        SingleFraction = (int)Math.Clamp((addressable - SpareAtLeast) / segments, 1, UsualSingleFraction);
        MaxSegments = (int)Math.Min((segments * Math.Max(SingleFraction, SegmentBytes / SmallSegmentBytes)) + SpareAtLeast, addressable);
    }

    /// <summary>Usual size of a shared segment, in bytes: a power of two.</summary>
    public int SegmentBytes { get; }

    /// <summary>Size of a shared segment while the shard holds little, in bytes: a power of two.</summary>
    public int SmallSegmentBytes { get; }

    /// <summary>An entry over this part of a segment has a segment of its own.</summary>
    public int SingleFraction { get; }

    /// <summary>Numbers for segments.</summary>
    public int MaxSegments { get; }

    /// <summary>Bits of an address that are the offset in its segment.</summary>
    public int UnitBits { get; }

    public static SegmentPlan For(long shardBytes) => new(shardBytes);

    public static int SegmentBytesFor(long shardBytes) =>
        1 << BitOperations.Log2((uint)Math.Clamp(shardBytes / SegmentsPerShard, MinSegmentBytes, MaxSegmentBytes));
}
