namespace Larder.Client;

/// <summary>Settings of the client behind <c>IDistributedCache</c>.</summary>
public sealed class LarderDistributedCacheOptions
{
    /// <summary>Gets or sets the name of the cache for the entries. The default is <c>cache</c>, which exists on every new server.</summary>
    public string CacheName { get; set; } = "cache";

    /// <summary>Gets or sets the prefix of every key, so that applications can share a cache. The default is none.</summary>
    public string KeyPrefix { get; set; } = "";

    /// <summary>
    /// Gets or sets whether an unavailable server is treated as an empty cache instead of an exception. A failed get is a miss. A failed set, refresh or remove
    /// is dropped, so that an old value may be read until it expires. Each failure is counted (<see cref="LarderDistributedCache.FailedOpen"/>, the metric
    /// <c>cache.client.failed_open</c>) and logged at most once in 10 s. Errors that also occur with a healthy server still throw: invalid arguments, values
    /// over the server's limit, a missing cache, a rejected token. The default is off.
    /// </summary>
    public bool FailOpen { get; set; }
}
