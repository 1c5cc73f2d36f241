using System.Globalization;

namespace Larder.FileStore.Cli.Torture;

/// <summary>A value that says whose it is and which: <c>number:filler</c>, the filler's length and letter made from the number.</summary>
internal static class TortureValue
{
    /// <summary>Keys of one process; its n-th set goes to key n modulo this.</summary>
    internal const int Keys = 100;
    internal const int MostFiller = 2000;

    internal static string KeyOf(int process, long number) => string.Create(CultureInfo.InvariantCulture, $"w{process}-{number % Keys}");

    internal static string Of(long number) =>
        string.Create(CultureInfo.InvariantCulture, $"{number}:") + new string((char)('a' + number % 26), (int)(number * 7919 % MostFiller));

    /// <summary>The number; -1 for a miss; null for what was never written.</summary>
    internal static long? NumberIn(string? value)
    {
        if (value is null)
        {
            return -1;
        }
        int colon = value.IndexOf(':', StringComparison.Ordinal);
        return colon > 0 && long.TryParse(value.AsSpan(0, colon), NumberStyles.None, CultureInfo.InvariantCulture, out long number) && value == Of(number)
            ? number
            : null;
    }
}
