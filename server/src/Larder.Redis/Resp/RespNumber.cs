using System.Buffers;
using System.Globalization;

namespace Larder.Redis;

/// <summary>Numbers of RESP3's lines. Strict: nothing but what the protocol writes.</summary>
internal static class RespNumber
{
    private static readonly SearchValues<byte> s_floating = SearchValues.Create("0123456789+-.eE"u8);

    // Of 2^63 in decimal.
    private const int MostDigits = 19;

    /// <summary>A length that was checked before; -1 for RESP2's null.</summary>
    public static int ParseLength(ReadOnlySpan<byte> line) => (int)ParseInteger(line);

    /// <summary>An integer that was checked before.</summary>
    public static long ParseInteger(ReadOnlySpan<byte> line) => TryParseInteger(line, out long value) ? value : 0;

    /// <summary>An integer: a sign where there is one, and digits that fit 64 bits.</summary>
    public static bool TryParseInteger(ReadOnlySpan<byte> line, out long value)
    {
        value = 0;
        bool isNegative = line.Length > 0 && line[0] == (byte)'-';
        ReadOnlySpan<byte> digits = isNegative || (line.Length > 0 && line[0] == (byte)'+') ? line[1..] : line;
        if (digits.IsEmpty || digits.Length > MostDigits)
        {
            return false;
        }

        ulong sum = 0;
        foreach (byte digit in digits)
        {
            uint number = (uint)(digit - '0');
            if (number > 9)
            {
                return false;
            }

            sum = (sum * 10) + number;
        }

        // 19 digits are below 2^64, and may be above 2^63.
        ulong most = isNegative ? 1UL << 63 : long.MaxValue;
        value = isNegative ? (long)(0 - sum) : (long)sum;
        return sum <= most;
    }

    /// <summary>A floating-point number; <c>inf</c>, <c>-inf</c> and <c>nan</c> with them.</summary>
    public static bool TryParseDouble(ReadOnlySpan<byte> line, out double value)
    {
        if (line.SequenceEqual("inf"u8) || line.SequenceEqual("-inf"u8))
        {
            value = line[0] == (byte)'-' ? double.NegativeInfinity : double.PositiveInfinity;
            return true;
        }

        if (line.SequenceEqual("nan"u8) || line.SequenceEqual("-nan"u8))
        {
            value = double.NaN;
            return true;
        }

        value = 0;
        return !line.IsEmpty && !line.ContainsAnyExcept(s_floating) && double.TryParse(line, NumberStyles.Float, CultureInfo.InvariantCulture, out value);
    }

    /// <summary>Whether it is an integer of any length.</summary>
    public static bool IsBigNumber(ReadOnlySpan<byte> line)
    {
        ReadOnlySpan<byte> digits = line.Length > 0 && (line[0] == (byte)'-' || line[0] == (byte)'+') ? line[1..] : line;
        return !digits.IsEmpty && !digits.ContainsAnyExceptInRange((byte)'0', (byte)'9');
    }
}
