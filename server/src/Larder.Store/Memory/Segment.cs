namespace Larder.Store;

/// <summary>The state of a segment.</summary>
internal enum SegmentState : byte
{
    /// <summary>The number has no memory.</summary>
    Unused,

    /// <summary>Free memory of a shared segment's size, kept for reuse.</summary>
    Pooled,

    /// <summary>Receives new entries; at the young end of its queue.</summary>
    Open,

    /// <summary>Full; in its queue.</summary>
    Sealed,

    /// <summary>Removed from its queue; its entries are being moved or evicted.</summary>
    Victim,

    /// <summary>Has no live entries; waits for its last readers.</summary>
    Retired,
}

/// <summary>The accounts of a segment: a block of native memory that contains entries one after another.</summary>
internal struct Segment
{
    public int CapacityBytes;

    /// <summary>Bytes from the start that hold entries, live or dead.</summary>
    public int UsedBytes;

    /// <summary>Bytes of live entries.</summary>
    public int LiveBytes;

    /// <summary>Bit set of the spaces with entries in the segment, by the last six bits of their ids. Several spaces can share a bit.</summary>
    public ulong Spaces;

    /// <summary>The next younger and next older segment of the same queue; 0 for none.</summary>
    public int Younger;
    public int Older;

    public SegmentState State;
    public QueueKind Queue;

    /// <summary>Whether the segment holds one entry that is too large to share it.</summary>
    public bool Single;

    /// <summary>For single-entry segments: a number that is unique within the shard and identifies the entry.</summary>
    public long Serial;

    /// <summary>The epoch in which the segment was retired.</summary>
    public long RetiredIn;
}
