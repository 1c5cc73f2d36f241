namespace Larder.FileStore;

/// <summary>The API of the cache that is registered as a service.</summary>
public enum FileStoreCacheVersions
{
    /// <summary><see cref="IDistributedFileStoreCacheString"/>: strings, the cache's native format and the fastest.</summary>
    String,

    /// <summary><see cref="IDistributedFileStoreCacheClass"/>: strings, and objects stored as JSON.</summary>
    Class,

    /// <summary><see cref="IDistributedFileStoreCacheBytes"/>: byte arrays.</summary>
    Bytes,

    /// <summary>
    /// <see cref="Microsoft.Extensions.Caching.Distributed.IDistributedCache"/>. The registered object also implements
    /// <see cref="Microsoft.Extensions.Caching.Distributed.IBufferDistributedCache"/>.
    /// </summary>
    IDistributedCache,
}
