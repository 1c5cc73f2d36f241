namespace Larder.FileStore;

/// <summary>The API of the cache that is registered as a service.</summary>
public enum FileStoreCacheVersions
{
    /// <summary><see cref="IDistributedFileStoreCacheString"/>, for strings. Strings are the cache's native format, so this API is the fastest.</summary>
    String,

    /// <summary><see cref="IDistributedFileStoreCacheClass"/>, for strings, and for objects stored as JSON.</summary>
    Class,

    /// <summary><see cref="IDistributedFileStoreCacheBytes"/>, for byte arrays.</summary>
    Bytes,

    /// <summary>
    /// <see cref="Microsoft.Extensions.Caching.Distributed.IDistributedCache"/>. The registered object also implements
    /// <see cref="Microsoft.Extensions.Caching.Distributed.IBufferDistributedCache"/>.
    /// </summary>
    IDistributedCache,
}
