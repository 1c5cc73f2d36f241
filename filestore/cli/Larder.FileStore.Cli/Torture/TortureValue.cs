using System.Globalization;

namespace Larder.FileStore.Cli.Torture;

/// <summary>
/// Creates values of the form <c>number:filler</c>. The number identifies the set operation that wrote the value. The length and the letter of the filler are
/// computed from the number.
/// </summary>
internal static class TortureValue
{
    /// <summary>The number of keys of each process. The set operation with number n writes the key n modulo <see cref="Keys"/>.</summary>
    internal const int Keys = 100;
    internal const int MaxFiller = 2000;

    internal static string KeyOf(int process, long number) => string.Create(CultureInfo.InvariantCulture, $"w{process}-{number % Keys}");

    internal static string Of(long number) =>
        string.Create(CultureInfo.InvariantCulture, $"{number}:") + new string((char)('a' + number % 26), (int)(number * 7919 % MaxFiller));

    /// <summary>Returns the number in a value; -1 for a miss; null if no process ever wrote the value.</summary>
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
