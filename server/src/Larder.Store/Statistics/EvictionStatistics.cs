namespace Larder.Store;

/// <summary>How many entries the store itself removed since it started, by reason. Deleted and overwritten entries are not among them.</summary>
/// <param name="Memory">Live entries removed to keep the memory limit.</param>
/// <param name="Expired">Entries whose memory was reclaimed after their TTL.</param>
/// <param name="Flushed">Entries of flushed or deleted caches whose memory was reclaimed.</param>
/// <param name="Quota">Live entries removed to keep their cache's quota.</param>
public readonly record struct EvictionStatistics(long Memory, long Expired, long Flushed, long Quota)
{
    /// <summary>All removals.</summary>
    public long Total => Memory + Expired + Flushed + Quota;

    /// <summary>The sum of two counts.</summary>
    public static EvictionStatistics operator +(EvictionStatistics left, EvictionStatistics right) => Add(left, right);

    /// <summary>The sum of two counts.</summary>
    public static EvictionStatistics Add(EvictionStatistics left, EvictionStatistics right) =>
        new(left.Memory + right.Memory, left.Expired + right.Expired, left.Flushed + right.Flushed, left.Quota + right.Quota);
}
