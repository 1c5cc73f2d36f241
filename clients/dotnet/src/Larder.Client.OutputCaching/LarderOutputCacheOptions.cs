namespace Larder.Client;

/// <summary>Settings of the output cache.</summary>
public sealed class LarderOutputCacheOptions
{
    /// <summary>The cache that holds the pages. Default <c>cache</c>, which a server has from the start.</summary>
    public string CacheName { get; set; } = "cache";

    /// <summary>Put before every key, so that applications can share a cache. Default <c>output:</c>.</summary>
    public string KeyPrefix { get; set; } = "output:";
}
