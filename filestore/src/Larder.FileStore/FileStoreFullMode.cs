namespace Larder.FileStore;

/// <summary>What a write does if it would exceed the size limit of the cache.</summary>
public enum FileStoreFullMode
{
    /// <summary>It throws <see cref="DistributedFileStoreCacheException"/> and changes nothing.</summary>
    Throw,

    /// <summary>
    /// It evicts other entries, atomically with the write: of every 16 candidates, the entry that expires first. An entry larger than the whole limit still
    /// throws.
    /// </summary>
    Evict,
}
