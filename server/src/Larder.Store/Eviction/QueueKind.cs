namespace Larder.Store;

/// <summary>The queues of S3-FIFO, each a chain of segments from young to old.</summary>
internal enum QueueKind : byte
{
    /// <summary>New entries: most are seen once and leave from here.</summary>
    Small,

    /// <summary>Entries that were hit while in the small queue, or came back soon after leaving it.</summary>
    Main,

    /// <summary>Large entries not hit yet: the first to go.</summary>
    Probation,
}
