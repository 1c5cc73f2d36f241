using System.Buffers;
using System.Globalization;

namespace Larder.Redis;

/// <summary>Parses numbers of RESP3. Only formats that the protocol allows are accepted.</summary>
internal static class RespNumber
{
    private static readonly SearchValues<byte> s_floating = SearchValues.Create("0123456789+-.eE"u8);

    // The number of digits of 2^63.
    private const int MaxDigits = 19;

    /// <summary>Parses a length that has already been validated. Returns -1 for RESP2's null.</summary>
    public static int ParseLength(ReadOnlySpan<byte> line) => (int)ParseInteger(line);

    /// <summary>Parses an integer that has already been validated.</summary>
    public static long ParseInteger(ReadOnlySpan<byte> line) => TryParseInteger(line, out long value) ? value : 0;

    /// <summary>Parses an integer: an optional sign, and digits that fit in 64 bits.</summary>
    public static bool TryParseInteger(ReadOnlySpan<byte> line, out long value)
    {
        value = 0;
        bool isNegative = line.Length > 0 && line[0] == (byte)'-';
        ReadOnlySpan<byte> digits = isNegative || (line.Length > 0 && line[0] == (byte)'+') ? line[1..] : line;
        if (digits.IsEmpty || digits.Length > MaxDigits)
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

        // A number of 19 digits is below 2^64 but may exceed 2^63.
        ulong most = isNegative ? 1UL << 63 : long.MaxValue;
        value = isNegative ? (long)(0 - sum) : (long)sum;
        return sum <= most;
    }

    /// <summary>Parses a floating-point number, including <c>inf</c>, <c>-inf</c> and <c>nan</c>.</summary>
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

    /// <summary>Returns whether the text is an integer of any length.</summary>
    public static bool IsBigNumber(ReadOnlySpan<byte> line)
    {
        ReadOnlySpan<byte> digits = line.Length > 0 && (line[0] == (byte)'-' || line[0] == (byte)'+') ? line[1..] : line;
        return !digits.IsEmpty && !digits.ContainsAnyExceptInRange((byte)'0', (byte)'9');
    }
}
