using System.Diagnostics;
using System.Numerics;

namespace Larder.Store.Bench;

/// <summary>Durations in buckets of 1.6 % width: three significant digits are read off the upper bound.</summary>
internal sealed class Latencies
{
    private const int SubBits = 6;
    private readonly long[] _counts = new long[64 << SubBits];
    private long _total;

    public void Add(long ticks)
    {
        ulong value = (ulong)Math.Max(ticks, 1);
        int exponent = Math.Max(BitOperations.Log2(value) - SubBits, 0);
        _counts[(exponent << SubBits) + (int)(value >> exponent)]++;
        _total++;
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
}
