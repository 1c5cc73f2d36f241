namespace Larder.Agent;

/// <summary>The collections of a load: 1,000 keys each, by all but the last three digits of a key.</summary>
internal static class LoadCollection
{
    private const int Digits = 3;

    /// <summary>Elements of each.</summary>
    public const int Elements = 1000;

    /// <summary>The collection that a key is an element of.</summary>
    public static byte[] Of(byte[] key) => key[..^Digits];

    /// <summary>A key's score in its sorted set: its last three digits, mixed.</summary>
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
