using System.Globalization;

namespace Larder.Server.Configuration;

/// <summary>Parses and formats sizes such as <c>512m</c>, <c>4g</c> and <c>1048576</c>. The units are powers of 1,024.</summary>
internal static class ByteSize
{
    private static readonly (string Suffix, int Shift)[] Units = [("t", 40), ("g", 30), ("m", 20), ("k", 10)];

    /// <summary>Parses a size. Returns false if the text is invalid or the value overflows 64 bits.</summary>
    public static bool TryParse(string text, out long bytes)
    {
        bytes = 0;
        string number = text.Trim().ToLowerInvariant();
        number = number.EndsWith("ib", StringComparison.Ordinal) ? number[..^2] : number.TrimEnd('b');
        int shift = 0;
        foreach ((string suffix, int unitShift) in Units)
        {
            if (number.EndsWith(suffix, StringComparison.Ordinal))
            {
                number = number[..^1];
                shift = unitShift;
                break;
            }
        }

        if (!decimal.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal count)
            || count > (decimal)long.MaxValue / (1L << shift))
        {
            return false;
        }

        bytes = (long)(count * (1L << shift));
        return true;
    }

    /// <summary>Formats a size in the largest unit in which the value is at least 1, such as <c>5.9 GiB</c>.</summary>
    public static string Format(long bytes)
    {
        foreach ((string suffix, int shift) in Units)
        {
            if (bytes >= 1L << shift)
            {
                double count = bytes / (double)(1L << shift);
                return string.Create(CultureInfo.InvariantCulture, $"{count:0.#} {suffix.ToUpperInvariant()}iB");
            }
        }

        return string.Create(CultureInfo.InvariantCulture, $"{bytes} B");
    }
}
