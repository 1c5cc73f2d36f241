using System.Numerics;

namespace Larder.Agent;

/// <summary>A caller's own generator: SplitMix64, one addition and a mix per draw, seeded so that a run can be repeated.</summary>
internal struct LoadRandom(long seed, long caller)
{
    private ulong _state = Mix((ulong)seed) ^ Mix((ulong)caller + 0x9E3779B97F4A7C15);

    /// <summary>64 even bits.</summary>
    public ulong Next() => Mix(_state += 0x9E3779B97F4A7C15);

    /// <summary>A whole number from 0 to below <paramref name="bound"/>.</summary>
    public int Below(int bound) => (int)Math.BigMul(Next(), (ulong)bound, out _);

    /// <summary>A number from 0 to below 1, of 53 bits.</summary>
    public double Unit() => (Next() >> 11) * (1.0 / (1UL << 53));

    private static ulong Mix(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ BitOperations.RotateRight(z, 31) ^ (z >> 31);
    }
}
