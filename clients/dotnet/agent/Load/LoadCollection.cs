namespace Larder.Agent;

/// <summary>The collections of a load. All keys that differ only in their last three digits share a collection of 1,000 elements.</summary>
internal static class LoadCollection
{
    private const int Digits = 3;

    /// <summary>The number of elements in each collection.</summary>
    public const int Elements = 1000;

    /// <summary>Returns the collection that contains a key.</summary>
    public static byte[] Of(byte[] key) => key[..^Digits];

    /// <summary>Returns the score of a key in its sorted set. Each key of the set has a different score, a whole number from 0 to 999.</summary>
    public static double ScoreOf(byte[] key)
    {
        int number = 0;
        foreach (byte digit in key.AsSpan(key.Length - Digits))
        {
            number = (number * 10) + (digit - '0');
        }

        return number * 7 % Elements;
    }
}
