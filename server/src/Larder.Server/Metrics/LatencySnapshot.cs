namespace Larder.Server.Metrics;

/// <summary>The counts of a <see cref="LatencyHistogram"/> at one moment.</summary>
internal sealed class LatencySnapshot
{
    private readonly long[] _counts;

    public LatencySnapshot(long[] counts)
    {
        _counts = counts;
        foreach (long count in counts)
        {
            Total += count;
        }
    }

    /// <summary>Gets the number of recorded durations.</summary>
    public long Total { get; }

    /// <summary>Returns a quantile in microseconds; 0 if no duration was recorded. <paramref name="quantile"/> is a number from 0 to 1.</summary>
    public double QuantileUs(double quantile)
    {
        long wanted = Math.Max(1, (long)Math.Ceiling(Total * quantile));
        long seen = 0;
        for (int bucket = 0; bucket < _counts.Length; bucket++)
        {
            seen += _counts[bucket];
            if (seen >= wanted)
            {
                return LatencyHistogram.UpperBoundOf(bucket) / 1_000.0;
            }
        }

        return 0;
    }

    /// <summary>Returns the non-empty buckets. Each has an upper bound in microseconds and a count.</summary>
    public IEnumerable<(double UpperUs, long Count)> NonEmptyBuckets()
    {
        for (int bucket = 0; bucket < _counts.Length; bucket++)
        {
            if (_counts[bucket] != 0)
            {
                yield return (LatencyHistogram.UpperBoundOf(bucket) / 1_000.0, _counts[bucket]);
            }
        }
    }
}
