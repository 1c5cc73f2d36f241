using System.Globalization;

namespace Larder.Report.Runs;

/// <summary>Parses and formats durations as users type them: <c>5ms</c>, <c>800us</c>, <c>1.5s</c>. The unit is required.</summary>
internal static class DurationText
{
    // Longer units are first, because "ms" also ends with "s".
    private static readonly (string Unit, double Ticks)[] s_units =
        [("us", TimeSpan.TicksPerMicrosecond), ("µs", TimeSpan.TicksPerMicrosecond), ("ms", TimeSpan.TicksPerMillisecond), ("s", TimeSpan.TicksPerSecond)];

    /// <summary>Parses a duration from 0 to one hour. <paramref name="what"/> is the name of the duration in the error message.</summary>
    /// <exception cref="FormatException">The text is not a valid duration.</exception>
    public static TimeSpan Parse(string text, string what)
    {
        (string? unit, double ticks) = s_units.FirstOrDefault(unit => text.EndsWith(unit.Unit, StringComparison.Ordinal));
        if (
            unit is null
            || !double.TryParse(text[..^unit.Length], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)
            || number * ticks > TimeSpan.TicksPerHour)
        {
            throw new FormatException($"{what} must be a number with its unit (us, ms, s), such as 5ms, at most 3600s, but is \"{text}\"");
        }

        return TimeSpan.FromTicks((long)(number * ticks));
    }

    /// <summary>Returns the shortest text for a duration.</summary>
    public static string Of(TimeSpan duration) => duration switch
    {
        { TotalSeconds: >= 1 } => Text(duration.TotalSeconds, "s"),
        { TotalMilliseconds: >= 1 } => Text(duration.TotalMilliseconds, "ms"),
        _ => Text(duration.TotalMicroseconds, "us"),
    };

    private static string Text(double number, string unit) => number.ToString("0.###", CultureInfo.InvariantCulture) + unit;
}
