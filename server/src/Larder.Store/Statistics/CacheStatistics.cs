namespace Larder.Store;

/// <summary>One cache's counts. Counters run from the cache's creation; the others are as of now.</summary>
public sealed record CacheStatistics
{
    /// <summary>The cache's name.</summary>
    public required string Name { get; init; }

    /// <summary>Lookups that found a live entry.</summary>
    public long Hits { get; init; }

    /// <summary>Lookups that found none.</summary>
    public long Misses { get; init; }

    /// <summary>Values written, by any operation.</summary>
    public long Sets { get; init; }

    /// <summary>Entries held, with those past their TTL that have not been reclaimed yet.</summary>
    public long Entries { get; init; }

    /// <summary>Bytes of the keys and values of those entries.</summary>
    public long Bytes { get; init; }

    /// <summary>What its entries may take of the memory, with their headers, before it evicts its own; 0: no quota.</summary>
    public long MaxBytes { get; init; }

    /// <summary>Bytes the engine spends on those entries beyond their keys and values.</summary>
    public long OverheadBytes { get; init; }

    /// <summary>
    /// This cache's share of <see cref="StoreStatistics.FragmentationBytes"/>, by the bytes that its entries take: caches lie side by
    /// side in the same blocks, so space not used belongs to none of them.
    /// </summary>
    public long FragmentationBytes { get; init; }

    /// <summary>Entries the store removed, by reason.</summary>
    public EvictionStatistics Evictions { get; init; }

    /// <summary>Hits as a share of lookups, 0 to 1; 0 before the first lookup.</summary>
    public double HitRatio => Hits + Misses == 0 ? 0 : (double)Hits / (Hits + Misses);
}
