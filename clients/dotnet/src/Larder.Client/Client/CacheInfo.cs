namespace Larder.Client;

/// <summary>A cache and its limits, as the server reports them.</summary>
/// <param name="Name">The cache's name.</param>
/// <param name="MaxItemSizeKb">The maximum size of an item, key and value together, in KiB.</param>
/// <param name="MaxTtl">The maximum time to live of the cache's items.</param>
public sealed record CacheInfo(string Name, int MaxItemSizeKb, TimeSpan MaxTtl);
