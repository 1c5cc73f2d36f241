namespace Larder.Store;

/// <summary>The state of a segment.</summary>
internal enum SegmentState : byte
{
    /// <summary>No memory is allocated for the segment number.</summary>
    Unused,

    /// <summary>The memory is free. It has the size of a shared segment and is kept for reuse.</summary>
    Pooled,

    /// <summary>The segment receives new entries. It is the newest segment of its queue.</summary>
    Open,

    /// <summary>The segment is full and in its queue.</summary>
    Sealed,

    /// <summary>The segment was removed from its queue. Its entries are being moved or evicted.</summary>
    Victim,

    /// <summary>The segment has no live entries, but readers may still access it.</summary>
    Retired,
}

/// <summary>Describes a segment. A segment is a block of native memory that contains consecutive entries.</summary>
internal struct Segment
{
    public int CapacityBytes;

    /// <summary>The number of bytes from the start that contain entries, live or dead.</summary>
    public int UsedBytes;

    /// <summary>The number of bytes of live entries.</summary>
    public int LiveBytes;

    /// <summary>
    /// The spaces with entries in the segment, as a set of bits. The last six bits of a space's id select its bit, so several spaces can share a bit.
    /// </summary>
    public ulong Spaces;

    /// <summary>The next newer and the next older segment of the same queue; 0 if there is none.</summary>
    public int Younger;
    public int Older;

    public SegmentState State;
    public QueueKind Queue;

    /// <summary>Whether the segment contains a single entry that is too large for a shared segment.</summary>
    public bool Single;

    /// <summary>For segments with a single entry: a number that is unique within the shard and identifies the entry.</summary>
    public long Serial;

    /// <summary>The epoch in which the segment was retired.</summary>
    public long RetiredIn;
}
