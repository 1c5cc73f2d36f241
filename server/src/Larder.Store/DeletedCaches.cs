namespace Larder.Store;

/// <summary>The counters of deleted caches, so that the store's totals never run backwards.</summary>
internal sealed class DeletedCaches
{
    private readonly Lock _lock = new();

    public long Hits { get; private set; }

    public long Misses { get; private set; }

    public long Sets { get; private set; }

    public EvictionStatistics Evictions { get; private set; }

    public void Add(CacheStatistics cache)
    {
        lock (_lock)
        {
            Hits += cache.Hits;
            Misses += cache.Misses;
            Sets += cache.Sets;
            Evictions += cache.Evictions;
        }
    }
}
