namespace Larder.Store;

/// <summary>The store's counts: the sum of its caches', and what its memory is spent on.</summary>
public sealed record StoreStatistics
{
    /// <summary>The memory limit, in bytes.</summary>
    public required long MaxMemoryBytes { get; init; }

    /// <summary>
    /// Memory held now, in bytes: keys, values, tables and space not yet reused. At most <see cref="MaxMemoryBytes"/>, but for what was freed
    /// and waits for lookups under way, for which up to a sixteenth more is taken, and still more where one lasts for long.
    /// </summary>
    public required long UsedMemoryBytes { get; init; }

    /// <summary>Part of <see cref="UsedMemoryBytes"/> that holds removed entries or nothing, and will be used again.</summary>
    public long FragmentationBytes { get; init; }

    /// <summary>
    /// Part of <see cref="UsedMemoryBytes"/> that entries of flushed and deleted caches take until they are reclaimed; none of the caches' own.
    /// Together with <see cref="Bytes"/>, <see cref="OverheadBytes"/> and <see cref="FragmentationBytes"/> it makes up all that is used.
    /// </summary>
    public long FlushedBytes { get; init; }

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

    /// <summary>Bytes the engine spends on those entries beyond their keys and values.</summary>
    public long OverheadBytes { get; init; }

    /// <summary>Entries the store removed, by reason.</summary>
    public EvictionStatistics Evictions { get; init; }

    /// <summary>How often the operating system did not take memory back: 0, unless the process has as many mappings as it may.</summary>
    public long FailedReleases { get; init; }

    /// <summary>What the hit ratio would be with half and with twice the memory; null while nothing has had to be evicted.</summary>
    public ShadowHitRatios? Shadow { get; init; }

    /// <summary>Each cache's part, by name.</summary>
    public required IReadOnlyList<CacheStatistics> Caches { get; init; }

    /// <summary>Hits as a share of lookups, 0 to 1; 0 before the first lookup.</summary>
    public double HitRatio => Hits + Misses == 0 ? 0 : (double)Hits / (Hits + Misses);
}
