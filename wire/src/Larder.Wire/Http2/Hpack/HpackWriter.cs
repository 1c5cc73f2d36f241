using System.Text;

namespace Larder.Wire.Http2.Hpack;

/// <summary>
/// Writes the integers and literals of a header block. Strings are not Huffman-encoded, because fields that recur are indexed and then take only one byte.
/// </summary>
internal static class HpackWriter
{
    public const byte Indexed = 0x80;
    public const byte LiteralWithIndexing = 0x40;
    public const byte LiteralWithoutIndexing = 0x00;
    public const byte TableSize = 0x20;

    // The maximum length of an integer: a prefix byte, and five bytes that contain 32 bits in groups of seven.
    private const int MaxIntegerBytes = 6;

    /// <summary>Writes an integer after the bits of <paramref name="pattern"/>.</summary>
    public static void WriteInteger(PooledBuffer destination, byte pattern, int prefixBits, int value)
    {
        Span<byte> room = destination.GetSpan(MaxIntegerBytes);
        int mask = (1 << prefixBits) - 1;
        if (value < mask)
        {
            room[0] = (byte)(pattern | value);
            destination.Advance(1);
            return;
        }

        room[0] = (byte)(pattern | mask);
        int written = 1;
        for (value -= mask; value >= 0x80; value >>= 7)
        {
            room[written++] = (byte)(value | 0x80);
        }

        room[written++] = (byte)value;
        destination.Advance(written);
    }

    /// <summary>Writes an ASCII string.</summary>
    public static void WriteString(PooledBuffer destination, string text)
    {
        WriteInteger(destination, pattern: 0, prefixBits: 7, text.Length);
        Encoding.ASCII.GetBytes(text, destination.GetSpan(text.Length));
        destination.Advance(text.Length);
    }
}
