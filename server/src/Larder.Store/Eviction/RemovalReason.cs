namespace Larder.Store;

/// <summary>The reason why an entry is removed.</summary>
internal enum RemovalReason
{
    /// <summary>A caller deleted the entry.</summary>
    Deleted,

    /// <summary>The TTL of the entry has expired.</summary>
    Expired,

    /// <summary>The cache of the entry was flushed or deleted.</summary>
    Flushed,

    /// <summary>The entry was evicted to free memory.</summary>
    Memory,

    /// <summary>The entry was evicted because its cache would otherwise exceed its quota.</summary>
    Quota,
}
