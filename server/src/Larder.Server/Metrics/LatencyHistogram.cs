using System.Numerics;

namespace Larder.Server.Metrics;

/// <summary>
/// A histogram of durations in nanoseconds, from 1 ns to 18 minutes. A bucket is 1 ns wide, or at most 1/16 (6 %) of its lower bound. Each processor has
/// separate counters, so that many threads can write. A snapshot contains the sums of these counters.
/// </summary>
internal sealed class LatencyHistogram
{
    private const int SubBucketBits = 4;
    private const int SubBuckets = 1 << SubBucketBits;
    private const int MaxExponent = 40;
    private const int BucketCount = (MaxExponent - SubBucketBits + 2) * SubBuckets;

    private readonly long[][] _stripes;

    public LatencyHistogram()
    {
        _stripes = new long[Math.Min(BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount), 16)][];
        for (int index = 0; index < _stripes.Length; index++)
        {
            _stripes[index] = new long[BucketCount];
        }
    }

    /// <summary>Adds <paramref name="count"/> durations of the same length.</summary>
    public void Record(long nanoseconds, long count = 1)
    {
        long[] stripe = _stripes[Thread.GetCurrentProcessorId() & (_stripes.Length - 1)];
        Interlocked.Add(ref stripe[BucketOf(nanoseconds)], count);
    }

    public LatencySnapshot Snapshot()
    {
        long[] sum = new long[BucketCount];
        foreach (long[] stripe in _stripes)
        {
            for (int index = 0; index < BucketCount; index++)
            {
                sum[index] += Volatile.Read(ref stripe[index]);
            }
        }

        return new LatencySnapshot(sum);
    }

    internal static int BucketOf(long nanoseconds)
    {
        ulong value = (ulong)Math.Clamp(nanoseconds, 0, (1L << MaxExponent) - 1);
        if (value < SubBuckets)
        {
            return (int)value;
        }

        int exponent = BitOperations.Log2(value);
        int shift = exponent - SubBucketBits;
        return ((shift + 1) << SubBucketBits) + (int)((value >> shift) & (SubBuckets - 1));
    }

    /// <summary>Returns the exclusive upper bound of a bucket in nanoseconds.</summary>
    internal static long UpperBoundOf(int bucket)
    {
        if (bucket < SubBuckets)
        {
            return bucket + 1;
        }

        int shift = (bucket >> SubBucketBits) - 1;
        return (long)(SubBuckets + (bucket & (SubBuckets - 1)) + 1) << shift;
    }
}
