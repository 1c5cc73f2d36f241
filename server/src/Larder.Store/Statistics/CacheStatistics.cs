namespace Larder.Store;

/// <summary>The statistics of one cache. Counters start when the cache is created. All other values are current values.</summary>
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

    /// <summary>Gets the number of entries, including expired entries that are not reclaimed yet.</summary>
    public long Entries { get; init; }

    /// <summary>Gets the size of the keys and values of the cache's entries, in bytes.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the quota: the maximum memory for the cache's entries with their headers, in bytes; 0 means no quota.</summary>
    public long MaxBytes { get; init; }

    /// <summary>Gets the memory that the cache's entries need in addition to their keys and values, in bytes.</summary>
    public long OverheadBytes { get; init; }

    /// <summary>
    /// Gets the cache's share of <see cref="StoreStatistics.FragmentationBytes"/>, in proportion to the memory of its entries. Caches share memory blocks, so
    /// unused space does not belong to a particular cache.
    /// </summary>
    public long FragmentationBytes { get; init; }

    /// <summary>Gets the number of entries removed by the store, by reason.</summary>
    public EvictionStatistics Evictions { get; init; }

    /// <summary>Gets the number of hits divided by the number of lookups: 0 to 1. It is 0 before the first lookup.</summary>
    public double HitRatio => Hits + Misses == 0 ? 0 : (double)Hits / (Hits + Misses);
}
