namespace Larder.Client;

/// <summary>Settings of the client behind <c>IDistributedCache</c>.</summary>
public sealed class LarderDistributedCacheOptions
{
    /// <summary>The cache that holds the entries. Default <c>cache</c>, which a server has from the start.</summary>
    public string CacheName { get; set; } = "cache";

    /// <summary>Put before every key, so that applications can share a cache. Default none.</summary>
    public string KeyPrefix { get; set; } = "";
}
