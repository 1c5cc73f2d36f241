using System.Globalization;

namespace Larder.Report.Runs;

/// <summary>Durations as they are typed: <c>5ms</c>, <c>800us</c>, <c>1.5s</c>. The unit is not optional: 5 what?</summary>
internal static class DurationText
{
    // The longer unit first: "ms" ends in "s" too.
    private static readonly (string Unit, double Ticks)[] s_units =
        [("us", TimeSpan.TicksPerMicrosecond), ("µs", TimeSpan.TicksPerMicrosecond), ("ms", TimeSpan.TicksPerMillisecond), ("s", TimeSpan.TicksPerSecond)];

    /// <summary>Reads a duration of 0 to an hour; <paramref name="what"/> names it in the error.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static TimeSpan Parse(string text, string what)
    {
        (string? unit, double ticks) = s_units.FirstOrDefault(unit => text.EndsWith(unit.Unit, StringComparison.Ordinal));
        if (
            unit is null
            || !double.TryParse(text[..^unit.Length], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)
            || number * ticks > TimeSpan.TicksPerHour)
        {
            throw new FormatException($"{what} is a number and its unit (us, ms, s), such as 5ms, at most 3600s; not \"{text}\"");
        }

        return TimeSpan.FromTicks((long)(number * ticks));
    }

    /// <summary>The shortest such text.</summary>
    public static string Of(TimeSpan duration) => duration switch
    {
        { TotalSeconds: >= 1 } => Text(duration.TotalSeconds, "s"),
        { TotalMilliseconds: >= 1 } => Text(duration.TotalMilliseconds, "ms"),
        _ => Text(duration.TotalMicroseconds, "us"),
    };

    private static string Text(double number, string unit) => number.ToString("0.###", CultureInfo.InvariantCulture) + unit;
}
