namespace Larder.Client;

/// <summary>Settings of the client behind <c>IDistributedCache</c>.</summary>
public sealed class LarderDistributedCacheOptions
{
    /// <summary>The cache that holds the entries. Default <c>cache</c>, which a server has from the start.</summary>
    public string CacheName { get; set; } = "cache";

    /// <summary>Put before every key, so that applications can share a cache. Default none.</summary>
    public string KeyPrefix { get; set; } = "";

    /// <summary>
    /// Whether a server that does not answer is an empty cache rather than an exception: a get that fails is a miss, a set, refresh or remove that fails is
    /// dropped, so that what was there may be read until it ends. Each is counted (<see cref="LarderDistributedCache.FailedOpen"/>, the metric
    /// <c>cache.client.failed_open</c>) and told in the log at most once in 10 s. What is wrong on a good day too still throws: arguments, values over the
    /// server's limit, a cache that does not exist, a token that is refused. Default off.
    /// </summary>
    public bool FailOpen { get; set; }
}
