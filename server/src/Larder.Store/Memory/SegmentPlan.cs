using System.Numerics;

namespace Larder.Store;

/// <summary>
/// How a shard's share of the memory is divided: segment sizes and the number of segments. An address has 31 bits in units of 4 bytes: 8 GiB. Each segment
/// takes a regular segment's size of that address space, however small it is.
/// </summary>
internal readonly record struct SegmentPlan
{
    /// <summary>
    /// Maximum share of a shard, in bytes. In a larger shard, entries with their own segments would use up the segment numbers before the memory is full.
    /// </summary>
    public const long MaxShardBytes = 7L << 30;

    /// <summary>Minimum share of a shard, in bytes: 16 segments of the smallest size, four of which are kept free.</summary>
    public const long MinShardBytes = 256 << 10;

    private const uint UnitBytes = EntryHeader.Alignment;
    private const int MinSegmentBytes = 16 << 10;
    private const int MaxSegmentBytes = 1 << 20;

    // Enough segments for fine-grained eviction: a tenth of the shard is a dozen segments.
    private const int SegmentsPerShard = 128;

    // Ratio of the regular segment size to the small one.
    private const int SmallFraction = 8;

    // An entry larger than this fraction of a segment gets its own, if there are enough segment numbers. A sealed segment wastes at most this fraction at its
    // end.
    private const int UsualSingleFraction = 8;

    // Additional segment numbers: for segments that wait for readers, which may exceed the share by a sixteenth, and a minimum.
    private const int SpareFraction = 16;
    private const int MinSpareSegments = 16;

    private SegmentPlan(long shardBytes)
    {
        SegmentBytes = SegmentBytesFor(shardBytes);
        SmallSegmentBytes = Math.Max(SegmentBytes / SmallFraction, MinSegmentBytes);
        UnitBits = BitOperations.Log2((uint)SegmentBytes / UnitBytes);
        long addressable = ExpiryWheel.ListMark >> UnitBits;
        long segments = (shardBytes + (shardBytes / SpareFraction)) / SegmentBytes;
        SingleFraction = (int)Math.Clamp((addressable - MinSpareSegments) / segments, 1, UsualSingleFraction);
        MaxSegments = (int)Math.Min((segments * Math.Max(SingleFraction, SegmentBytes / SmallSegmentBytes)) + MinSpareSegments, addressable);
    }

    /// <summary>Regular size of a shared segment, in bytes: a power of two.</summary>
    public int SegmentBytes { get; }

    /// <summary>Size of a shared segment while the shard holds little, in bytes: a power of two.</summary>
    public int SmallSegmentBytes { get; }

    /// <summary>An entry larger than this fraction of a segment gets its own segment.</summary>
    public int SingleFraction { get; }

    /// <summary>Maximum number of segments.</summary>
    public int MaxSegments { get; }

    /// <summary>Number of bits of an address that are the offset in its segment.</summary>
    public int UnitBits { get; }

    public static SegmentPlan For(long shardBytes) => new(shardBytes);

    public static int SegmentBytesFor(long shardBytes) =>
        1 << BitOperations.Log2((uint)Math.Clamp(shardBytes / SegmentsPerShard, MinSegmentBytes, MaxSegmentBytes));
}
