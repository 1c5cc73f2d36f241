namespace Larder.Harness.Frames;

/// <summary>What chance decides of a test's bytes: drawn from a seed, so that the same seed makes the same bytes.</summary>
public class FrameDraw(int seed)
{
#pragma warning disable CA5394 // A seeded generator is what a repeatable test needs.
    private readonly Random _random = new(seed);

    /// <summary>The draw of one of many connections: of its attacker, and its number there.</summary>
    public static FrameDraw OfConnection(int seed, int attacker, int connection) => new(unchecked((((seed * 1_009) + attacker) * 1_000_003) + connection));

    /// <summary>True for this share of all draws.</summary>
    public bool Chance(double share) => _random.NextDouble() < share;

    /// <summary>A number from 0, below <paramref name="bound"/>.</summary>
    public int Below(int bound) => _random.Next(bound);

    /// <summary>One of these, each as likely.</summary>
    public T One<T>(params T[] choices)
    {
        ArgumentNullException.ThrowIfNull(choices);
        return choices[_random.Next(choices.Length)];
    }

    /// <summary>So many bytes.</summary>
    public byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        _random.NextBytes(bytes);
        return bytes;
    }
#pragma warning restore CA5394
}
