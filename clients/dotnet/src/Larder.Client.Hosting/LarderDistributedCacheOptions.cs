namespace Larder.Client;

/// <summary>The settings of <see cref="LarderDistributedCache"/>.</summary>
public sealed class LarderDistributedCacheOptions
{
    /// <summary>Gets or sets the name of the server's cache that contains the entries. The default is <c>cache</c>, which exists on every new server.</summary>
    public string CacheName { get; set; } = "cache";

    /// <summary>
    /// Gets or sets the prefix of every key. Different prefixes allow several applications to share a cache. The default is empty: no prefix.
    /// </summary>
    public string KeyPrefix { get; set; } = "";

    /// <summary>
    /// Gets or sets whether an unavailable server is treated as an empty cache. If true, a failed get is a miss. A failed set, refresh or remove is ignored, so
    /// callers may read an old value until it expires. If false, these failures throw an exception. All failures are counted
    /// (<see cref="LarderDistributedCache.FailedOpen"/>, the metric <c>cache.client.failed_open</c>). At most one failure is logged every 10 s. Errors that
    /// also occur with a healthy server still throw: invalid arguments, values over the server's limit, a missing cache, a rejected token. The default is
    /// false.
    /// </summary>
    public bool FailOpen { get; set; }
}
