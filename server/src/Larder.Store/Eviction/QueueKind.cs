namespace Larder.Store;

/// <summary>The S3-FIFO queues. Each is a chain of segments from young to old.</summary>
internal enum QueueKind : byte
{
    /// <summary>New entries. Most are never hit and are evicted from this queue.</summary>
    Small,

    /// <summary>Entries that were hit in the small queue, or that were written again soon after their eviction from it.</summary>
    Main,

    /// <summary>Large entries without a hit. They are evicted first.</summary>
    Probation,
}
