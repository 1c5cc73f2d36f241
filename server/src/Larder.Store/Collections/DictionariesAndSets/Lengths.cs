namespace Larder.Store.Collections;

/// <summary>Lengths as they stand before packed elements: 7 bits a byte, the lowest first; and after a list's, the same from the end.</summary>
internal static unsafe class Lengths
{
    /// <summary>Bytes of the longest length.</summary>
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

    /// <summary>Reads a length that ends before this address, which is left at its first byte.</summary>
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

    /// <summary>Writes a length to be read from its end.</summary>
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
