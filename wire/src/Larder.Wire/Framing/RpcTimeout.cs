using System.Globalization;

namespace Larder.Wire;

/// <summary>Parses and formats <c>grpc-timeout</c>: one to eight decimal digits and a unit (H, M, S, m, u or n).</summary>
internal static class RpcTimeout
{
    // The maximum number of digits, as the gRPC specification defines it.
    private const int MaxDigits = 8;
    private const long MaxValue = 99_999_999;

    // The longest timeout whose text is cached, in milliseconds. The same timeouts recur, because most of them are a configured deadline minus a short wait.
    private const int CachedMilliseconds = 10_000;

    private static readonly string?[] Cached = new string?[CachedMilliseconds + 1];

    /// <summary>
    /// Parses a timeout. Returns false if the text is invalid. A timeout that is too long for the clock is parsed as the longest possible timeout.
    /// </summary>
    public static bool TryParse(string text, out TimeSpan timeout)
    {
        timeout = default;
        int digits = text.Length - 1;
        if (digits is < 1 or > MaxDigits
            || !long.TryParse(text.AsSpan(0, digits), NumberStyles.None, CultureInfo.InvariantCulture, out long value))
        {
            return false;
        }

        long? ticks = text[digits] switch
        {
            'H' => value * TimeSpan.TicksPerHour,
            'M' => value * TimeSpan.TicksPerMinute,
            'S' => value * TimeSpan.TicksPerSecond,
            'm' => value * TimeSpan.TicksPerMillisecond,
            'u' => value * TimeSpan.TicksPerMicrosecond,
            // A tick is 100 ns. The value is rounded up, so that a timeout above zero does not become zero.
            'n' => (value + 99) / 100,
            _ => null,
        };
        timeout = new TimeSpan(ticks ?? 0);
        return ticks is not null;
    }

    /// <summary>
    /// Formats a timeout. The unit is milliseconds, or the next larger unit in which the number has at most eight digits. The value is rounded up. Zero and
    /// negative timeouts are formatted as "0m".
    /// </summary>
    public static string Format(TimeSpan timeout)
    {
        long milliseconds = timeout <= TimeSpan.Zero ? 0 : DivideUp(timeout.Ticks, TimeSpan.TicksPerMillisecond);
        return milliseconds <= CachedMilliseconds
            ? Cached[milliseconds] ??= Text(milliseconds, 'm')
            : FormatLong(timeout.Ticks, milliseconds);
    }

    private static string FormatLong(long ticks, long milliseconds)
    {
        if (milliseconds <= MaxValue)
        {
            return Text(milliseconds, 'm');
        }

        long seconds = DivideUp(ticks, TimeSpan.TicksPerSecond);
        return seconds <= MaxValue ? Text(seconds, 'S') : Text(Math.Min(MaxValue, DivideUp(ticks, TimeSpan.TicksPerHour)), 'H');
    }

    private static string Text(long value, char unit) => string.Create(CultureInfo.InvariantCulture, $"{value}{unit}");

    private static long DivideUp(long value, long by) => (value / by) + (value % by == 0 ? 0 : 1);
}
