using System.Numerics;

namespace Larder.Wire;

/// <summary>
/// A counter that many threads increment concurrently. Up to 16 processors each use their own stripe, so that they do not compete for a cache line. Reading
/// the counter adds up the stripes.
/// </summary>
internal sealed class StripedCount
{
    // The distance between two stripes, in longs. It is 128 bytes, so that two stripes are never in the same or adjacent 64-byte cache lines.
    private const int Apart = 16;

    private readonly long[] _stripes = new long[Math.Min(BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount), 16) * Apart];

    /// <summary>Gets the current sum of all stripes.</summary>
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

    /// <summary>Adds to the stripe of the current processor.</summary>
    public void Add(long amount) => Interlocked.Add(ref _stripes[(Thread.GetCurrentProcessorId() * Apart) & (_stripes.Length - 1)], amount);
}
