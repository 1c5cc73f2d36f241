namespace Larder.Client;

/// <summary>The settings of the output cache.</summary>
public sealed class LarderOutputCacheOptions
{
    /// <summary>Gets or sets the name of the server's cache that contains the pages. The default is <c>cache</c>, which exists on every new server.</summary>
    public string CacheName { get; set; } = "cache";

    /// <summary>Gets or sets the prefix of every key. Different prefixes allow several applications to share a cache. The default is <c>output:</c>.</summary>
    public string KeyPrefix { get; set; } = "output:";
}
