namespace Larder.Store;

/// <summary>The statistics of the store: the sums of its caches', and its memory use.</summary>
public sealed record StoreStatistics
{
    /// <summary>Gets the memory limit, in bytes.</summary>
    public required long MaxMemoryBytes { get; init; }

    /// <summary>
    /// Gets the memory in use, in bytes: keys, values, tables and space that is not reused yet. At most <see cref="MaxMemoryBytes"/>, plus freed memory that
    /// waits for concurrent lookups: up to a sixteenth, or more if a lookup takes long.
    /// </summary>
    public required long UsedMemoryBytes { get; init; }

    /// <summary>Gets the part of <see cref="UsedMemoryBytes"/> that contains removed entries or nothing, and will be reused.</summary>
    public long FragmentationBytes { get; init; }

    /// <summary>
    /// Gets the part of <see cref="UsedMemoryBytes"/> that entries of flushed and deleted caches take until they are reclaimed. It is not included in any
    /// cache's statistics. Its sum with <see cref="Bytes"/>, <see cref="OverheadBytes"/> and <see cref="FragmentationBytes"/> is all memory in use.
    /// </summary>
    public long FlushedBytes { get; init; }

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

    /// <summary>Gets the memory overhead of those entries beyond keys and values, in bytes.</summary>
    public long OverheadBytes { get; init; }

    /// <summary>Gets the number of entries removed by the store, by reason.</summary>
    public EvictionStatistics Evictions { get; init; }

    /// <summary>Gets how often releasing memory to the operating system failed: 0, unless the process has reached its maximum number of mappings.</summary>
    public long FailedReleases { get; init; }

    /// <summary>Gets the estimated hit ratios with half and with twice the memory; null before the first eviction.</summary>
    public ShadowHitRatios? Shadow { get; init; }

    /// <summary>Gets the statistics of each cache, ordered by name.</summary>
    public required IReadOnlyList<CacheStatistics> Caches { get; init; }

    /// <summary>Gets hits divided by lookups, 0 to 1; 0 before the first lookup.</summary>
    public double HitRatio => Hits + Misses == 0 ? 0 : (double)Hits / (Hits + Misses);
}
