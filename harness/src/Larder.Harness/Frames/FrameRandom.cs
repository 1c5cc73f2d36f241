namespace Larder.Harness.Frames;

/// <summary>A source of random choices for the bytes that a test sends. The same seed produces the same choices.</summary>
public class FrameRandom(int seed)
{
#pragma warning disable CA5394 // A repeatable test needs a seeded generator.
    private readonly Random _random = new(seed);

    /// <summary>
    /// Creates the source for one connection. The choices depend on the seed, the attacker's index, and the connection's index among the connections of this
    /// attacker.
    /// </summary>
    public static FrameRandom OfConnection(int seed, int attacker, int connection) => new(unchecked((((seed * 1_009) + attacker) * 1_000_003) + connection));

    /// <summary>Returns true with the given probability.</summary>
    public bool Chance(double share) => _random.NextDouble() < share;

    /// <summary>Returns a random number from 0 to <paramref name="bound"/> - 1.</summary>
    public int Below(int bound) => _random.Next(bound);

    /// <summary>Returns one of the choices at random. All choices are equally likely.</summary>
    public T One<T>(params T[] choices)
    {
        ArgumentNullException.ThrowIfNull(choices);
        return choices[_random.Next(choices.Length)];
    }

    /// <summary>Returns the given number of random bytes.</summary>
    public byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        _random.NextBytes(bytes);
        return bytes;
    }
#pragma warning restore CA5394
}
