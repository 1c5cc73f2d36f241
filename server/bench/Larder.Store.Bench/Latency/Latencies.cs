using System.Diagnostics;
using System.Numerics;

namespace Larder.Store.Bench;

/// <summary>A histogram of durations with buckets 1.6 % wide. A percentile is the upper bound of its bucket.</summary>
internal sealed class Latencies
{
    private const int SubBits = 6;
    private readonly long[] _counts = new long[64 << SubBits];
    private long _total;

    public void Add(long ticks)
    {
        _counts[BucketOf(ticks)]++;
        _total++;
    }

    public long Total => _total;

    public void Add(Latencies other)
    {
        for (int i = 0; i < _counts.Length; i++)
        {
            _counts[i] += other._counts[i];
        }

        _total += other._total;
    }

    /// <summary>Returns the number of durations above a limit. The precision is the width of a bucket.</summary>
    public long CountOverUs(double us)
    {
        int first = BucketOf((long)(us * Stopwatch.Frequency / 1e6)) + 1;
        return _counts.AsSpan(first).ToArray().Sum();
    }

    public double PercentileUs(double percentile)
    {
        long rank = (long)Math.Ceiling(_total * percentile / 100);
        long seen = 0;
        for (int i = 0; i < _counts.Length; i++)
        {
            seen += _counts[i];
            if (seen >= rank && _counts[i] > 0)
            {
                int exponent = Math.Max((i >> SubBits) - 1, 0);
                long upper = ((long)(i - (exponent << SubBits)) + 1) << exponent;
                return upper * 1e6 / Stopwatch.Frequency;
            }
        }

        return 0;
    }

    private static int BucketOf(long ticks)
    {
        ulong value = (ulong)Math.Max(ticks, 1);
        int exponent = Math.Max(BitOperations.Log2(value) - SubBits, 0);
        return (exponent << SubBits) + (int)(value >> exponent);
    }
}
