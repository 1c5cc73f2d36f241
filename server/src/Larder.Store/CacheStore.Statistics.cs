namespace Larder.Store;

/// <summary>What the store counts, summed when asked for: each shard counts for itself.</summary>
public sealed partial class CacheStore
{
    /// <summary>The counts as of now. They are summed while work goes on, so they may be apart by what happened meanwhile.</summary>
    public StoreStatistics GetStatistics()
    {
        CacheStatistics[] caches = [.. _directory.Caches.Select(cache => cache.GetStatistics()).OrderBy(cache => cache.Name, StringComparer.Ordinal)];
        return new StoreStatistics
        {
            MaxMemoryBytes = _options.MaxMemoryBytes,
            UsedMemoryBytes = _shards.Sum(shard => shard.UsedBytes),
            Hits = _deleted.Hits + caches.Sum(cache => cache.Hits),
            Misses = _deleted.Misses + caches.Sum(cache => cache.Misses),
            Sets = _deleted.Sets + caches.Sum(cache => cache.Sets),
            Entries = caches.Sum(cache => cache.Entries),
            Bytes = caches.Sum(cache => cache.Bytes),
            OverheadBytes = caches.Sum(cache => cache.OverheadBytes),
            Evictions = caches.Aggregate(_deleted.Evictions, (sum, cache) => sum + cache.Evictions),
            Caches = caches,
        };
    }
}
