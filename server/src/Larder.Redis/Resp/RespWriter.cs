using System.Buffers.Text;
using Larder.Wire;

namespace Larder.Redis;

/// <summary>Writes commands: arrays of byte strings.</summary>
internal static class RespWriter
{
    // A mark, a sign, 19 digits, CR LF.
    private const int MostHeadBytes = 24;

    /// <summary>The head of an array of so many.</summary>
    public static void WriteArray(PooledBuffer buffer, int count) => WriteHead(buffer, (byte)'*', count);

    /// <summary>A byte string.</summary>
    public static void WriteBytes(PooledBuffer buffer, ReadOnlySpan<byte> bytes) => WriteBytes(buffer, bytes, default);

    /// <summary>A byte string of two parts; where its first byte is.</summary>
    public static int WriteBytes(PooledBuffer buffer, ReadOnlySpan<byte> first, ReadOnlySpan<byte> second)
    {
        int length = checked(first.Length + second.Length);
        Span<byte> room = buffer.GetSpan(checked(MostHeadBytes + length + 2));
        int start = Head(room, (byte)'$', length);
        first.CopyTo(room[start..]);
        second.CopyTo(room[(start + first.Length)..]);
        End(room, start + length);
        int position = buffer.Written + start;
        buffer.Advance(start + length + 2);
        return position;
    }

    /// <summary>A number as a byte string.</summary>
    public static void WriteNumber(PooledBuffer buffer, long number)
    {
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(number, digits, out int length);
        WriteBytes(buffer, digits[..length]);
    }

    /// <summary>Bytes that are RESP already.</summary>
    public static void WriteRaw(PooledBuffer buffer, ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(buffer.GetSpan(bytes.Length));
        buffer.Advance(bytes.Length);
    }

    private static void WriteHead(PooledBuffer buffer, byte mark, int number) =>
        buffer.Advance(Head(buffer.GetSpan(MostHeadBytes), mark, number));

    private static int Head(Span<byte> room, byte mark, int number)
    {
        room[0] = mark;
        int digits;
        if (number < 10)
        {
            // Most heads by far.
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
