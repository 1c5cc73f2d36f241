using System.Numerics;

namespace Larder.Store;

/// <summary>
/// Defines the segment sizes and the number of segments for a shard's share of the memory. An address has 31 bits and counts units of 4 bytes, so 8 GiB can be
/// addressed. Each segment occupies the address space of a regular segment, even if the segment is smaller.
/// </summary>
internal readonly record struct SegmentPlan
{
    /// <summary>
    /// The maximum memory share of a shard, in bytes. In a larger shard, entries with their own segments would use up the segment numbers before the memory is
    /// full.
    /// </summary>
    public const long MaxShardBytes = 7L << 30;

    /// <summary>The minimum memory share of a shard, in bytes. It is the size of 16 segments of the smallest size. Four of them are kept free.</summary>
    public const long MinShardBytes = 256 << 10;

    private const uint UnitBytes = EntryHeader.Alignment;
    private const int MinSegmentBytes = 16 << 10;
    private const int MaxSegmentBytes = 1 << 20;

    // The number of regular segments per shard. It is large enough for fine-grained eviction: a tenth of the shard is a dozen segments.
    private const int SegmentsPerShard = 128;

    // The ratio of the regular segment size to the small size.
    private const int SmallFraction = 8;

    // An entry that is larger than this fraction of a segment gets its own segment, if there are enough segment numbers. At most this fraction of a sealed
    // segment is wasted at its end.
    private const int UsualSingleFraction = 8;

    // Additional segment numbers for segments that readers may still access. Such segments may exceed the memory share by this fraction. MinSpareSegments
    // further numbers are added.
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

    /// <summary>The regular size of a shared segment, in bytes: a power of two.</summary>
    public int SegmentBytes { get; }

    /// <summary>The size of a shared segment while the shard contains little data, in bytes: a power of two.</summary>
    public int SmallSegmentBytes { get; }

    /// <summary>An entry larger than this fraction of a segment gets its own segment.</summary>
    public int SingleFraction { get; }

    /// <summary>The maximum number of segments.</summary>
    public int MaxSegments { get; }

    /// <summary>The number of bits of an address that contain the offset in the segment.</summary>
    public int UnitBits { get; }

    public static SegmentPlan For(long shardBytes) => new(shardBytes);

    public static int SegmentBytesFor(long shardBytes) =>
        1 << BitOperations.Log2((uint)Math.Clamp(shardBytes / SegmentsPerShard, MinSegmentBytes, MaxSegmentBytes));
}
