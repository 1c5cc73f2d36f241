namespace Larder.FileStore;

/// <summary>What happens if a write would exceed the size limit of the cache.</summary>
public enum FileStoreFullMode
{
    /// <summary>The write throws <see cref="DistributedFileStoreCacheException"/> and changes nothing.</summary>
    Throw,

    /// <summary>
    /// The write evicts other entries atomically. Of every 16 candidates, it evicts the entry that expires first. A write of an entry that is larger than the
    /// whole limit still throws.
    /// </summary>
    Evict,
}
