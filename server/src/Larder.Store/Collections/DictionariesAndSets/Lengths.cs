namespace Larder.Store.Collections;

/// <summary>
/// The variable-length encoding of the lengths of packed elements: 7 bits per byte, lowest bits first. In lists, a second length follows the element. Its
/// encoding can be read backwards.
/// </summary>
internal static unsafe class Lengths
{
    /// <summary>The maximum number of bytes of an encoded length.</summary>
    public const int MaxBytes = 5;

    public static int SizeOf(int length) => length < 1 << 7 ? 1 : length < 1 << 14 ? 2 : length < 1 << 21 ? 3 : length < 1 << 28 ? 4 : MaxBytes;

    public static int Read(ref byte* at)
    {
        int length = *at++;
        if (length < 0x80)
        {
            return length;
        }

        length &= 0x7F;
        for (int shift = 7; ; shift += 7)
        {
            int part = *at++;
            length |= (part & 0x7F) << shift;
            if (part < 0x80)
            {
                return length;
            }
        }
    }

    public static byte* Write(byte* at, int length)
    {
        for (; length >= 0x80; length >>= 7)
        {
            *at++ = (byte)(length | 0x80);
        }

        *at++ = (byte)length;
        return at;
    }

    /// <summary>Reads the length that ends just before the address, and moves the address back to its first byte.</summary>
    public static int ReadBack(ref byte* at)
    {
        int length = 0;
        for (int shift = 0; ; shift += 7)
        {
            int part = *--at;
            length |= (part & 0x7F) << shift;
            if (part < 0x80)
            {
                return length;
            }
        }
    }

    /// <summary>Writes a length that <see cref="ReadBack"/> can read.</summary>
    public static byte* WriteBack(byte* at, int length)
    {
        byte* end = at + SizeOf(length);
        byte* to = end;
        for (; length >= 0x80; length >>= 7)
        {
            *--to = (byte)(length | 0x80);
        }

        *--to = (byte)length;
        return end;
    }
}
