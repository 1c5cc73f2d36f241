namespace Larder.FileStore;

/// <summary>Which face of the cache is registered.</summary>
public enum FileStoreCacheVersions
{
    /// <summary><see cref="IDistributedFileStoreCacheString"/>: texts, the cache's own form and the fastest.</summary>
    String,

    /// <summary><see cref="IDistributedFileStoreCacheClass"/>: texts, and classes written as JSON.</summary>
    Class,

    /// <summary><see cref="IDistributedFileStoreCacheBytes"/>: exact bytes.</summary>
    Bytes,

    /// <summary>
    /// <see cref="Microsoft.Extensions.Caching.Distributed.IDistributedCache"/>; the object is an
    /// <see cref="Microsoft.Extensions.Caching.Distributed.IBufferDistributedCache"/> too.
    /// </summary>
    IDistributedCache,
}
