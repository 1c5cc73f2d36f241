namespace Larder.Store;

/// <summary>Where a segment is in its life.</summary>
internal enum SegmentState : byte
{
    /// <summary>No memory behind this number.</summary>
    Unused,

    /// <summary>Memory of a shared segment's size, kept for the next to be opened.</summary>
    Pooled,

    /// <summary>Taking new entries; at its queue's young end.</summary>
    Open,

    /// <summary>Full; in its queue.</summary>
    Sealed,

    /// <summary>Out of its queue; its entries are being moved or evicted.</summary>
    Victim,

    /// <summary>Without a live entry; waiting for its last readers.</summary>
    Retired,
}

/// <summary>The account of one segment: a block of native memory in which entries stand one after another.</summary>
internal struct Segment
{
    public int CapacityBytes;

    /// <summary>Bytes from the start that hold entries, live or dead.</summary>
    public int UsedBytes;

    /// <summary>Bytes of live entries.</summary>
    public int LiveBytes;

    /// <summary>For each space that entries were written for, the bit of its id's last six: others may have the same.</summary>
    public ulong Spaces;

    /// <summary>The next younger and next older segment of the same queue; 0 is none.</summary>
    public int Younger;
    public int Older;

    public SegmentState State;
    public QueueKind Queue;

    /// <summary>Holds one entry too large to share a segment.</summary>
    public bool Single;

    /// <summary>Of a single: a number that no other has had in its shard, by which its entry is known again.</summary>
    public long Serial;

    /// <summary>The epoch it was retired in.</summary>
    public long RetiredIn;
}
