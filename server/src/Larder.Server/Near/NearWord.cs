namespace Larder.Server.Near;

/// <summary>
/// Up to four stream numbers in 8 bytes: 15 bits each, the number plus 1, from the lowest bits on. 0 means no stream. A word with the highest bit set means
/// that the numbers are in a <see cref="NearSet"/>.
/// </summary>
internal static class NearWord
{
    /// <summary>The maximum number of streams in a word.</summary>
    public const int MaxStreams = 4;

    /// <summary>Numbers are less than this.</summary>
    public const int MaxNumbers = Mask;

    /// <summary>The word whose numbers are in a set.</summary>
    public const ulong IsSet = 1UL << 63;

    private const int Bits = 15;
    private const int Mask = (1 << Bits) - 1;

    /// <summary>Returns the number of streams in a word.</summary>
    public static int Count(ulong word) => (64 - System.Numerics.BitOperations.LeadingZeroCount(word) + Bits - 1) / Bits;

    /// <summary>Returns whether a word contains a stream number. Returns false if the numbers are in a set.</summary>
    public static bool Contains(ulong word, int number)
    {
        for (word &= ~IsSet; word != 0; word >>= Bits)
        {
            if ((int)(word & Mask) == number + 1)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Adds a number to a word that contains fewer than four.</summary>
    public static ulong With(ulong word, int number) => word << Bits | (uint)(number + 1);

    /// <summary>Removes a number.</summary>
    public static ulong Without(ulong word, int number)
    {
        ulong left = 0;
        for (; word != 0; word >>= Bits)
        {
            int each = (int)(word & Mask) - 1;
            left = each == number ? left : With(left, each);
        }

        return left;
    }

    /// <summary>Copies the numbers of a word.</summary>
    public static void CopyTo(ulong word, Span<ushort> into)
    {
        for (int i = 0; word != 0; word >>= Bits)
        {
            into[i++] = (ushort)((word & Mask) - 1);
        }
    }
}
