using System.Globalization;

namespace Larder.Server.Configuration;

/// <summary>Parses and formats durations such as <c>90s</c>, <c>15m</c>, <c>24h</c> and <c>30d</c>. The unit is required.</summary>
internal static class DurationText
{
    private static readonly (char Unit, long Ticks)[] Units =
        [('s', TimeSpan.TicksPerSecond), ('m', TimeSpan.TicksPerMinute), ('h', TimeSpan.TicksPerHour), ('d', TimeSpan.TicksPerDay)];

    /// <summary>Parses a duration. Returns false if the text is invalid or the value overflows.</summary>
    public static bool TryParse(string text, out TimeSpan duration)
    {
        duration = default;
        foreach ((char unit, long ticks) in Units)
        {
            if (text.EndsWith(unit)
                && decimal.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal count)
                && count <= TimeSpan.MaxValue.Ticks / ticks)
            {
                duration = TimeSpan.FromTicks((long)(count * ticks));
                return true;
            }
        }

        return false;
    }

    /// <summary>Formats a duration in the largest unit in which it is a whole number greater than one. Examples: <c>90s</c>, <c>24h</c>.</summary>
    public static string Format(TimeSpan duration)
    {
        (char unit, long ticks) = Units.LastOrDefault(each => duration.Ticks > each.Ticks && duration.Ticks % each.Ticks == 0, Units[0]);
        return string.Create(CultureInfo.InvariantCulture, $"{(decimal)duration.Ticks / ticks}{unit}");
    }
}
