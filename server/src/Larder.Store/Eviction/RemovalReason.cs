namespace Larder.Store;

/// <summary>The reason why an entry is removed.</summary>
internal enum RemovalReason
{
    /// <summary>A caller deleted it.</summary>
    Deleted,

    /// <summary>Its TTL has expired.</summary>
    Expired,

    /// <summary>Its cache was flushed or deleted.</summary>
    Flushed,

    /// <summary>It was evicted to free memory.</summary>
    Memory,

    /// <summary>It was evicted because its cache would exceed its quota.</summary>
    Quota,
}
