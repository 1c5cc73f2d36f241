using System.Numerics;

namespace Larder.Server.Metrics;

/// <summary>
/// A histogram of durations in nanoseconds, from 1 ns to 18 minutes. A bucket is 1 ns wide, or at most 1/16 (6 %) of its lower bound. Each processor has
/// separate counters, so that many threads can write. A snapshot contains the sums of these counters. A processor's counters (5 KB) are created with its first
/// duration, because a server has two histograms for each rpc and most rpcs are never called.
/// </summary>
internal sealed class LatencyHistogram
{
    private const int SubBucketBits = 4;
    private const int SubBuckets = 1 << SubBucketBits;
    private const int MaxExponent = 40;
    private const int BucketCount = (MaxExponent - SubBucketBits + 2) * SubBuckets;

    // An element is null until its processor records a duration.
    private readonly long[]?[] _stripes = new long[Math.Min(BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount), 16)][];

    /// <summary>Adds <paramref name="count"/> durations of the same length.</summary>
    public void Record(long nanoseconds, long count = 1)
    {
        ref long[]? stripe = ref _stripes[Thread.GetCurrentProcessorId() & (_stripes.Length - 1)];
        Interlocked.Add(ref (Volatile.Read(ref stripe) ?? Create(ref stripe))[BucketOf(nanoseconds)], count);
    }

    public LatencySnapshot Snapshot()
    {
        long[] sum = new long[BucketCount];
        for (int processor = 0; processor < _stripes.Length; processor++)
        {
            if (Volatile.Read(ref _stripes[processor]) is not { } stripe)
            {
                continue;
            }

            for (int index = 0; index < BucketCount; index++)
            {
                sum[index] += Volatile.Read(ref stripe[index]);
            }
        }

        return new LatencySnapshot(sum);
    }

    // Threads on the same processor may create the counters at the same time. All of them use the counters that were stored first.
    private static long[] Create(ref long[]? stripe)
    {
        long[] created = new long[BucketCount];
        return Interlocked.CompareExchange(ref stripe, created, null) ?? created;
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
