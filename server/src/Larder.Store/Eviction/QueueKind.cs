namespace Larder.Store;

/// <summary>The S3-FIFO queues. Each is a chain of segments from the newest to the oldest.</summary>
internal enum QueueKind : byte
{
    /// <summary>The queue for new entries. Most of them are never hit and are evicted from this queue.</summary>
    Small,

    /// <summary>The queue for entries that were hit in the small queue, or that were written again soon after their eviction from the small queue.</summary>
    Main,

    /// <summary>The queue for large entries without a hit. They are evicted first.</summary>
    Probation,
}
