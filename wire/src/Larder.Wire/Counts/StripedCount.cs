using System.Numerics;

namespace Larder.Wire;

/// <summary>A count that many threads add to: each processor has a line of its own, summed when read.</summary>
internal sealed class StripedCount
{
    // Longs apart, so that two stripes are never in one or in neighbouring lines of 64 bytes.
    private const int Apart = 16;

    private readonly long[] _stripes = new long[Math.Min(BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount), 16) * Apart];

    /// <summary>The sum as it stands.</summary>
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

    /// <summary>Adds to the stripe of the processor that runs this.</summary>
    public void Add(long amount) => Interlocked.Add(ref _stripes[(Thread.GetCurrentProcessorId() * Apart) & (_stripes.Length - 1)], amount);
}
