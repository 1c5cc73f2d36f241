using System.Numerics;

namespace Larder.Agent;

/// <summary>
/// A latency histogram, exact to three significant digits from 1 ns to over an hour. It takes 270 KB for any number of samples. <c>conformance/AGENT.md</c>
/// defines the layout. The layout is the same in each language, so histograms of different agents can be added. Only one thread may write at a time. Concurrent
/// readers may see slightly stale counts.
/// </summary>
internal sealed class LoadHistogram
{
    /// <summary>The number of buckets per doubling: 1,024, so that a bucket's width is at most 1/1,024 of its value.</summary>
    private const int StepsPerDoubling = 1024;
    private const int ExactBelow = 2 * StepsPerDoubling;

    /// <summary>The upper end of the last bucket, in ns: 2^42 − 1, about 73 minutes. Longer latencies are also counted in the last bucket.</summary>
    public const long HighestNs = (1L << 42) - 1;

    /// <summary>The number of buckets: the index of <see cref="HighestNs"/> (33,791) plus one.</summary>
    public const int IndexCount = 33_792;

    private readonly long[] _counts = new long[IndexCount];

    /// <summary>Gets the number of samples.</summary>
    public long Total { get; private set; }

    /// <summary>Gets the exact value of the largest sample in ns, or 0 if there are no samples.</summary>
    public long MaxNs { get; private set; }

    /// <summary>Gets the exact sum of all samples in ns.</summary>
    public long SumNs { get; private set; }

    /// <summary>Returns the bucket index of a value in ns.</summary>
    public static int IndexOf(long ns)
    {
        long value = Math.Clamp(ns, 0, HighestNs);
        if (value < ExactBelow)
        {
            return (int)value;
        }

        int shift = BitOperations.Log2((ulong)value) - 10;
        return (shift * StepsPerDoubling) + (int)(value >> shift);
    }

    /// <summary>Returns the largest value, in ns, of a bucket.</summary>
    public static long ValueOf(int index)
    {
        if (index < ExactBelow)
        {
            return index;
        }

        int shift = (index / StepsPerDoubling) - 1;
        return ((long)(index - (shift * StepsPerDoubling) + 1) << shift) - 1;
    }

    /// <summary>Adds one sample, in ns.</summary>
    public void Record(long ns) => Record(IndexOf(ns), 1, ns, ns);

    /// <summary>Sets the exact maximum and sum, in ns, of a histogram that was parsed from sparse counts.</summary>
    public void SetExact(long maxNs, long sumNs) => (MaxNs, SumNs) = (maxNs, sumNs);

    /// <summary>Adds samples of one bucket, as parsed from an agent's line.</summary>
    public void Record(int index, long count, long maxNs, long sumNs)
    {
        _counts[index] += count;
        Total += count;
        SumNs += sumNs;
        if (maxNs > MaxNs)
        {
            MaxNs = maxNs;
        }
    }

    /// <summary>Removes all samples.</summary>
    public void Clear()
    {
        Array.Clear(_counts);
        (Total, MaxNs, SumNs) = (0, 0, 0);
    }

    /// <summary>Adds all samples of another histogram.</summary>
    public void Add(LoadHistogram other)
    {
        for (int i = 0; i < IndexCount; i++)
        {
            _counts[i] += other._counts[i];
        }

        Total += other.Total;
        SumNs += other.SumNs;
        MaxNs = Math.Max(MaxNs, other.MaxNs);
    }

    /// <summary>
    /// Returns the samples that were added since an <paramref name="earlier"/> copy of this histogram. The maximum of the result is the maximum of the highest
    /// bucket to which a sample was added.
    /// </summary>
    public LoadHistogram Since(LoadHistogram earlier)
    {
        var gained = new LoadHistogram();
        for (int i = 0; i < IndexCount; i++)
        {
            long count = _counts[i] - earlier._counts[i];
            if (count > 0)
            {
                gained.Record(i, count, Math.Min(ValueOf(i), MaxNs), 0);
            }
        }

        gained.SumNs = SumNs - earlier.SumNs;
        return gained;
    }

    /// <summary>
    /// Returns the value in ns that the fraction <paramref name="quantile"/> (0 to 1) of the samples does not exceed, or 0 if there are no samples.
    /// </summary>
    public long Quantile(double quantile)
    {
        long rank = Math.Max(1, (long)Math.Ceiling(quantile * Total));
        long running = 0;
        for (int i = 0; i < IndexCount; i++)
        {
            running += _counts[i];
            if (running >= rank)
            {
                return Math.Min(ValueOf(i), MaxNs);
            }
        }

        return MaxNs;
    }

    /// <summary>Returns the value of <see cref="Quantile"/> in µs.</summary>
    public double QuantileUs(double quantile) => Quantile(quantile) / 1000.0;

    /// <summary>Returns the counts that were added since an <paramref name="earlier"/> copy of this histogram, by ascending index.</summary>
    public IEnumerable<(int Index, long Count)> CountsSince(LoadHistogram earlier)
    {
        for (int i = 0; i < IndexCount; i++)
        {
            if (_counts[i] > earlier._counts[i])
            {
                yield return (i, _counts[i] - earlier._counts[i]);
            }
        }
    }

    /// <summary>Returns the counts above 0, by ascending index.</summary>
    public IEnumerable<(int Index, long Count)> Counts()
    {
        for (int i = 0; i < IndexCount; i++)
        {
            if (_counts[i] > 0)
            {
                yield return (i, _counts[i]);
            }
        }
    }
}
