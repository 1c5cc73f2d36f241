namespace Larder.Store;

/// <summary>The store's statistics, summed on request. Each thread counts its lookups and overwrites. The shards count all other operations.</summary>
public sealed partial class CacheStore
{
    /// <summary>
    /// Returns the current statistics. They are summed while other threads use the store, so the sums may be slightly inconsistent with each other.
    /// </summary>
    public StoreStatistics GetStatistics()
    {
        lock (_directoryLock)
        {
            ShardMemory memory = default;
            foreach (Shard shard in _shards)
            {
                ShardMemory part = shard.Memory;
                memory = new ShardMemory(memory.Held + part.Held, memory.Idle + part.Idle, memory.Tables + part.Tables);
            }

            return Summarise(memory);
        }
    }

    private StoreStatistics Summarise(ShardMemory memory)
    {
        (Cache Cache, CacheCounts Counts, SpaceUsage Usage)[] caches =
            [.. _directory.Caches.OrderBy(cache => cache.Name, StringComparer.Ordinal).Select(cache => (cache, CountsOf(cache), UsageOf(cache.Space)))];
        CacheCounts total = caches.Aggregate(_deleted.Gone, (sum, cache) => sum + cache.Counts);
        total = _deleted.Leaving.Aggregate(total, (sum, cache) => sum + CountsOf(cache));
        long entries = caches.Sum(cache => cache.Usage.Entries);
        long charged = caches.Sum(cache => cache.Usage.ChargedBytes);
        long overhead = charged - caches.Sum(cache => cache.Usage.Bytes);
        double tablesPerEntry = entries == 0 ? 0 : (double)memory.Tables / entries;
        double idlePerByte = charged == 0 ? 0 : (double)memory.Idle / charged;
        return new StoreStatistics
        {
            MaxMemoryBytes = _options.MaxMemoryBytes,
            UsedMemoryBytes = memory.Held,
            FragmentationBytes = memory.Idle,
            FlushedBytes = Math.Max(memory.Held - memory.Tables - memory.Idle - charged, 0),
            Hits = total.Hits,
            Misses = total.Misses,
            Sets = total.Sets,
            Entries = entries,
            Bytes = caches.Sum(cache => cache.Usage.Bytes),
            OverheadBytes = overhead + memory.Tables,
            Evictions = total.Evictions,
            FailedReleases = Pages.FailedReleases,
            Shadow = Shadow.Estimate(),
            Caches = [.. caches.Select(cache => Describe(cache.Cache, cache.Counts, cache.Usage, tablesPerEntry, idlePerByte))],
        };
    }

    private static CacheStatistics Describe(Cache cache, CacheCounts counts, SpaceUsage usage, double tablesPerEntry, double idlePerByte) => new()
    {
        Name = cache.Name,
        Hits = counts.Hits,
        Misses = counts.Misses,
        Sets = counts.Sets,
        Entries = usage.Entries,
        Bytes = usage.Bytes,
        MaxBytes = cache.MaxBytes,
        OverheadBytes = usage.ChargedBytes - usage.Bytes + (long)(usage.Entries * tablesPerEntry),
        FragmentationBytes = (long)(usage.ChargedBytes * idlePerByte),
        Evictions = counts.Evictions,
    };

    private CacheCounts CountsOf(Cache cache) => CountsAt(cache.Ordinal) - cache.Baseline;

    private CacheCounts CountsAt(int ordinal)
    {
        var counts = default(CacheCounts);
        foreach (ReaderSlot slot in Epochs.Slots)
        {
            counts += new CacheCounts(
                slot.CountOf(ordinal, AccessKind.Hit),
                slot.CountOf(ordinal, AccessKind.Miss),
                slot.CountOf(ordinal, AccessKind.Set),
                default);
        }

        foreach (Shard shard in _shards)
        {
            ShardCounters part = shard.CountersOfCache(ordinal);
            counts += new CacheCounts(0, 0, part.Sets, new EvictionStatistics(part.EvictedForMemory, part.Expired, part.Flushed, part.EvictedForQuota));
        }

        return counts;
    }

    private SpaceUsage UsageOf(Space space)
    {
        SpaceUsage sum = default;
        foreach (Shard shard in _shards)
        {
            SpaceUsage part = shard.UsageOfSpace(space.Id);
            sum = new SpaceUsage(sum.Entries + part.Entries, sum.Bytes + part.Bytes, sum.ChargedBytes + part.ChargedBytes);
        }

        return sum;
    }
}
