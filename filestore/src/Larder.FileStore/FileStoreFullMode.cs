namespace Larder.FileStore;

/// <summary>What a write does that would pass the cache's limit.</summary>
public enum FileStoreFullMode
{
    /// <summary>It throws <see cref="DistributedFileStoreCacheException"/> and changes nothing.</summary>
    Throw,

    /// <summary>
    /// Other entries are dropped to make room, in the same line as the write: of each 16 in turn the one that ends first. An entry larger than the whole limit
    /// still throws.
    /// </summary>
    Evict,
}
