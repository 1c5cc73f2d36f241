using System.Buffers.Text;
using Larder.Wire;

namespace Larder.Redis;

/// <summary>Writes commands as arrays of byte strings.</summary>
internal static class RespWriter
{
    // The maximum length of a header: a type byte, a sign, 19 digits, CR and LF.
    private const int MaxHeadBytes = 24;

    /// <summary>Writes the header of an array with the given number of items.</summary>
    public static void WriteArray(PooledBuffer buffer, int count) => WriteHead(buffer, (byte)'*', count);

    /// <summary>Writes a byte string.</summary>
    public static void WriteBytes(PooledBuffer buffer, ReadOnlySpan<byte> bytes) => WriteBytes(buffer, bytes, default);

    /// <summary>Writes a byte string that consists of two parts. Returns the position of its first byte.</summary>
    public static int WriteBytes(PooledBuffer buffer, ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        int length = checked(first.Length + second.Length);
        Span<byte> room = buffer.GetSpan(checked(MaxHeadBytes + length + 2));
        int start = Head(room, (byte)'$', length);
        first.CopyTo(room[start..]);
        second.CopyTo(room[(start + first.Length)..]);
        End(room, start + length);
        int position = buffer.Written + start;
        buffer.Advance(start + length + 2);
        return position;
    }

    /// <summary>Writes a number as a byte string.</summary>
    public static void WriteNumber(PooledBuffer buffer, long number)
    {
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(number, digits, out int length);
        WriteBytes(buffer, digits[..length]);
    }

    /// <summary>Writes bytes that are already in RESP format.</summary>
    public static void WriteRaw(PooledBuffer buffer, ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(buffer.GetSpan(bytes.Length));
        buffer.Advance(bytes.Length);
    }

    private static void WriteHead(PooledBuffer buffer, byte mark, int number) =>
        buffer.Advance(Head(buffer.GetSpan(MaxHeadBytes), mark, number));

    private static int Head(Span<byte> room, byte mark, int number)
    {
        room[0] = mark;
        int digits;
        if (number < 10)
        {
            // Most lengths and counts have one digit. The general formatter is slower.
            room[1] = (byte)('0' + number);
            digits = 1;
        }
        else
        {
            Utf8Formatter.TryFormat(number, room[1..], out digits);
        }

        End(room, 1 + digits);
        return 1 + digits + 2;
    }

    private static void End(Span<byte> room, int at)
    {
        room[at] = (byte)'\r';
        room[at + 1] = (byte)'\n';
    }
}
