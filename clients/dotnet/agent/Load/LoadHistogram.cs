using System.Numerics;

namespace Larder.Agent;

/// <summary>
/// Counts of latencies by size, exact to three significant digits from 1 ns to over an hour, in 270 KB whatever the number of samples.
/// The layout is that of <c>conformance/AGENT.md</c>, the same in each language, so histograms of different agents can be added.
/// One writer at a time; readers may look on meanwhile and see counts a moment old.
/// </summary>
internal sealed class LoadHistogram
{
    /// <summary>Values per doubling: 1,024, so that a bucket is at most 1/1,024 of its value wide.</summary>
    private const int StepsPerDoubling = 1024;
    private const int ExactBelow = 2 * StepsPerDoubling;

    /// <summary>Longest latency told apart, in ns: 2^42 − 1, about 73 minutes. Longer ones count as this.</summary>
    public const long HighestNs = (1L << 42) - 1;

    /// <summary>Number of indexes: that of <see cref="HighestNs"/> (33,791), and one.</summary>
    public const int IndexCount = 33_792;

    private readonly long[] _counts = new long[IndexCount];

    /// <summary>Number of samples.</summary>
    public long Total { get; private set; }

    /// <summary>The largest sample, exact, in ns; 0 when there is none.</summary>
    public long MaxNs { get; private set; }

    /// <summary>Sum of all samples, exact, in ns.</summary>
    public long SumNs { get; private set; }

    /// <summary>Index of a value in ns.</summary>
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

    /// <summary>The largest value, in ns, that has this index.</summary>
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

    /// <summary>Takes the exact maximum and sum that came with sparse counts.</summary>
    public void SetExact(long maxNs, long sumNs) => (MaxNs, SumNs) = (maxNs, sumNs);

    /// <summary>Adds samples that share an index, as read from an agent's line.</summary>
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

    /// <summary>Forgets everything.</summary>
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

    /// <summary>The samples that this histogram has and an earlier copy of it has not. Its maximum is that of the highest index that gained one.</summary>
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

    /// <summary>The value, in ns, that a part <paramref name="quantile"/> (0 to 1) of the samples does not exceed; 0 when there is none.</summary>
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

    /// <summary>The same in µs.</summary>
    public double QuantileUs(double quantile) => Quantile(quantile) / 1000.0;

    /// <summary>What this histogram counts more than an earlier one, by ascending index.</summary>
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

    /// <summary>The counts above 0, by ascending index.</summary>
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
