namespace Larder.Store;

/// <summary>The statistics of one cache. Counters count from the cache's creation; other values are current.</summary>
public sealed record CacheStatistics
{
    /// <summary>Gets the name of the cache.</summary>
    public required string Name { get; init; }

    /// <summary>Gets the number of lookups that found a live entry.</summary>
    public long Hits { get; init; }

    /// <summary>Gets the number of lookups that found no live entry.</summary>
    public long Misses { get; init; }

    /// <summary>Gets the number of values written, by any operation.</summary>
    public long Sets { get; init; }

    /// <summary>Gets the number of entries, including expired ones that are not reclaimed yet.</summary>
    public long Entries { get; init; }

    /// <summary>Gets the size of the keys and values of those entries, in bytes.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the quota: the maximum memory for the cache's entries with their headers, in bytes; 0 means no quota.</summary>
    public long MaxBytes { get; init; }

    /// <summary>Gets the memory overhead of those entries beyond keys and values, in bytes.</summary>
    public long OverheadBytes { get; init; }

    /// <summary>
    /// Gets the cache's share of <see cref="StoreStatistics.FragmentationBytes"/>, in proportion to the memory of its entries. Caches share memory blocks, so
    /// unused space belongs to none of them.
    /// </summary>
    public long FragmentationBytes { get; init; }

    /// <summary>Gets the number of entries removed by the store, by reason.</summary>
    public EvictionStatistics Evictions { get; init; }

    /// <summary>Gets hits divided by lookups, 0 to 1; 0 before the first lookup.</summary>
    public double HitRatio => Hits + Misses == 0 ? 0 : (double)Hits / (Hits + Misses);
}
