namespace Larder.Store;

/// <summary>The operation counts of one cache, summed over threads and shards.</summary>
internal readonly record struct CacheCounts(long Hits, long Misses, long Sets, EvictionStatistics Evictions)
{
    public static CacheCounts operator +(CacheCounts a, CacheCounts b) =>
        new(a.Hits + b.Hits, a.Misses + b.Misses, a.Sets + b.Sets, a.Evictions + b.Evictions);

    public static CacheCounts operator -(CacheCounts a, CacheCounts b) => new(
        a.Hits - b.Hits,
        a.Misses - b.Misses,
        a.Sets - b.Sets,
        new EvictionStatistics(
            a.Evictions.Memory - b.Evictions.Memory,
            a.Evictions.Expired - b.Evictions.Expired,
            a.Evictions.Flushed - b.Evictions.Flushed,
            a.Evictions.Quota - b.Evictions.Quota));
}
