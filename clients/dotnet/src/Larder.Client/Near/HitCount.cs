using System.Numerics;

namespace Larder.Client.Near;

/// <summary>A count that many threads add to: each processor has a line of its own, summed when read.</summary>
internal sealed class HitCount
{
    // Longs apart, so that two stripes are never in one or in neighbouring lines of 64 bytes.
    private const int Apart = 16;

    private readonly long[] _stripes = new long[Math.Min(BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount), 16) * Apart];

    public long Value
    {
        get
        {
            long sum = 0;
            for (int index = 0; index < _stripes.Length; index += Apart)
            {
                sum += Volatile.Read(ref _stripes[index]);
            }

            return sum;
        }
    }

    public void Increment() => Interlocked.Increment(ref _stripes[(Thread.GetCurrentProcessorId() * Apart) & (_stripes.Length - 1)]);
}
