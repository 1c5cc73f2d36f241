namespace Larder.Store;

/// <summary>Why an entry leaves the store.</summary>
internal enum RemovalReason
{
    /// <summary>Its caller deleted it.</summary>
    Deleted,

    /// <summary>Its TTL has passed.</summary>
    Expired,

    /// <summary>Its cache was flushed or deleted.</summary>
    Flushed,

    /// <summary>The memory was needed.</summary>
    Memory,

    /// <summary>Its cache would have held more than its quota.</summary>
    Quota,
}
