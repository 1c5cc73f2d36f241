namespace Larder.Client;

/// <summary>A cache and its limits, as the server reports them.</summary>
/// <param name="Name">Its name.</param>
/// <param name="MaxItemSizeKb">The largest item, key and value together, in KiB.</param>
/// <param name="MaxTtl">The longest TTL.</param>
public sealed record CacheInfo(string Name, int MaxItemSizeKb, TimeSpan MaxTtl);
