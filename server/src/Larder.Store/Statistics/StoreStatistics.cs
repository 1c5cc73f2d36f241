namespace Larder.Store;

/// <summary>The statistics of the store: the sums of the statistics of its caches, and the memory use.</summary>
public sealed record StoreStatistics
{
    /// <summary>Gets the memory limit, in bytes.</summary>
    public required long MaxMemoryBytes { get; init; }

    /// <summary>
    /// Gets the memory in use, in bytes: keys, values, tables and space that is not reused yet. It is at most <see cref="MaxMemoryBytes"/>, plus freed memory
    /// that concurrent lookups may still read. This freed memory is at most a sixteenth of the limit, or more during a slow lookup.
    /// </summary>
    public required long UsedMemoryBytes { get; init; }

    /// <summary>Gets the part of <see cref="UsedMemoryBytes"/> that contains removed entries or is empty. It will be reused.</summary>
    public long FragmentationBytes { get; init; }

    /// <summary>
    /// Gets the part of <see cref="UsedMemoryBytes"/> that entries of flushed and deleted caches take until they are reclaimed. This part is not included in
    /// the statistics of any cache. The sum of this part, <see cref="Bytes"/>, <see cref="OverheadBytes"/> and <see cref="FragmentationBytes"/> is the total
    /// memory in use.
    /// </summary>
    public long FlushedBytes { get; init; }

    /// <summary>Gets the number of lookups that found a live entry.</summary>
    public long Hits { get; init; }

    /// <summary>Gets the number of lookups that found no live entry.</summary>
    public long Misses { get; init; }

    /// <summary>Gets the number of values written, by any operation.</summary>
    public long Sets { get; init; }

    /// <summary>Gets the number of entries, including expired entries that are not reclaimed yet.</summary>
    public long Entries { get; init; }

    /// <summary>Gets the size of the keys and values of all entries, in bytes.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the memory that all entries need in addition to their keys and values, in bytes.</summary>
    public long OverheadBytes { get; init; }

    /// <summary>Gets the number of entries removed by the store, by reason.</summary>
    public EvictionStatistics Evictions { get; init; }

    /// <summary>
    /// Gets the number of times that memory could not be released to the operating system. It is 0 unless the process has reached its maximum number of
    /// mappings.
    /// </summary>
    public long FailedReleases { get; init; }

    /// <summary>Gets the estimated hit ratios with half and with twice the memory; null before the first eviction.</summary>
    public ShadowHitRatios? Shadow { get; init; }

    /// <summary>Gets the statistics of each cache, ordered by name.</summary>
    public required IReadOnlyList<CacheStatistics> Caches { get; init; }

    /// <summary>Gets the number of hits divided by the number of lookups: 0 to 1. It is 0 before the first lookup.</summary>
    public double HitRatio => Hits + Misses == 0 ? 0 : (double)Hits / (Hits + Misses);
}
