namespace Larder.Store;

/// <summary>
/// The number of entries that the store itself removed since it was created, by reason. Entries that callers deleted or overwrote are not included.
/// </summary>
/// <param name="Memory">The number of live entries evicted to stay within the memory limit.</param>
/// <param name="Expired">The number of expired entries whose memory was reclaimed.</param>
/// <param name="Flushed">The number of entries of flushed or deleted caches whose memory was reclaimed.</param>
/// <param name="Quota">The number of live entries evicted to stay within their cache's quota.</param>
public readonly record struct EvictionStatistics(long Memory, long Expired, long Flushed, long Quota)
{
    /// <summary>Gets the total number of removals.</summary>
    public long Total => Memory + Expired + Flushed + Quota;

    /// <summary>Adds two counts.</summary>
    public static EvictionStatistics operator +(EvictionStatistics left, EvictionStatistics right) => Add(left, right);

    /// <summary>Adds two counts.</summary>
    public static EvictionStatistics Add(EvictionStatistics left, EvictionStatistics right) =>
        new(left.Memory + right.Memory, left.Expired + right.Expired, left.Flushed + right.Flushed, left.Quota + right.Quota);
}
