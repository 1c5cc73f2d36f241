using System.Numerics;

namespace Larder.Agent;

/// <summary>A caller's random number generator: SplitMix64, with one addition and one mix per draw. It is seeded so that a run can be repeated.</summary>
internal struct LoadRandom(long seed, long caller)
{
    private ulong _state = Mix((ulong)seed) ^ Mix((ulong)caller + 0x9E3779B97F4A7C15);

    /// <summary>Returns 64 uniformly distributed bits.</summary>
    public ulong Next() => Mix(_state += 0x9E3779B97F4A7C15);

    /// <summary>Returns an integer that is at least 0 and less than <paramref name="bound"/>.</summary>
    public int Below(int bound) => (int)Math.BigMul(Next(), (ulong)bound, out _);

    /// <summary>Returns a number that is at least 0 and less than 1, with 53 random bits.</summary>
    public double Unit() => (Next() >> 11) * (1.0 / (1UL << 53));

    private static ulong Mix(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ BitOperations.RotateRight(z, 31) ^ (z >> 31);
    }
}
