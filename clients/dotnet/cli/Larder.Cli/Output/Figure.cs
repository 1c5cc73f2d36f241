using System.Globalization;

namespace Larder.Cli;

/// <summary>Formats numbers so that they are easy to read.</summary>
internal static class Figure
{
    private static readonly string[] Units = ["B", "KiB", "MiB", "GiB", "TiB"];

    public static string Bytes(double bytes)
    {
        int unit = 0;
        for (; bytes >= 1024 && unit < Units.Length - 1; unit++)
        {
            bytes /= 1024;
        }

        return string.Create(CultureInfo.InvariantCulture, $"{bytes:0.#} {Units[unit]}");
    }

    public static string Whole(double number) => number.ToString("#,##0", CultureInfo.InvariantCulture);

    /// <summary>Returns the part as a percentage of the whole. Returns a dash if the whole is 0.</summary>
    public static string Share(double part, double whole) =>
        whole > 0 ? string.Create(CultureInfo.InvariantCulture, $"{100 * part / whole:0.0} %") : "–";

    public static string Microseconds(double us) =>
        us < 1_000 ? string.Create(CultureInfo.InvariantCulture, $"{us:0} µs") : string.Create(CultureInfo.InvariantCulture, $"{us / 1_000:0.0} ms");

    /// <summary>Formats a duration with its two largest units. If the second unit is zero, it is omitted. Examples: <c>1 d</c>, <c>1 h 30 min</c>.</summary>
    public static string Time(double seconds)
    {
        TimeSpan time = TimeSpan.FromSeconds(seconds);
        return time.TotalDays >= 1 ? TwoUnits(time.Days, "d", time.Hours, "h")
            : time.TotalHours >= 1 ? TwoUnits(time.Hours, "h", time.Minutes, "min")
            : time.TotalMinutes >= 1 ? TwoUnits(time.Minutes, "min", time.Seconds, "s")
            : $"{time.Seconds} s";
    }

    private static string TwoUnits(int large, string largeUnit, int small, string smallUnit) =>
        small == 0 ? $"{large} {largeUnit}" : $"{large} {largeUnit} {small} {smallUnit}";
}
