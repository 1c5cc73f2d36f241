using System.Globalization;

namespace Larder.Report.Drawing;

/// <summary>Figures as people read them: thousands parted by commas, at least three significant digits, the unit beside them.</summary>
internal static class Show
{
    private static readonly CultureInfo s_culture = CultureInfo.InvariantCulture;

    /// <summary>What stands where nobody knows.</summary>
    public const string Unknown = "–";

    /// <summary>A count, or calls a second.</summary>
    public static string Count(double? count) =>
        count is { } known && double.IsFinite(known) ? known.ToString(known is > 0 and < 10 ? "0.##" : "N0", s_culture) : Unknown;

    /// <summary>A short count for an axis: <c>950k</c>, <c>1.5M</c>.</summary>
    public static string Short(double count) => Math.Abs(count) switch
    {
        >= 1e6 => (count / 1e6).ToString("0.##", s_culture) + "M",
        >= 1e3 => (count / 1e3).ToString("0.##", s_culture) + "k",
        _ => count.ToString("0.##", s_culture),
    };

    /// <summary>A duration with its unit: <c>93.8 µs</c>, <c>3.98 ms</c>, <c>1.20 s</c>.</summary>
    public static string Us(double? us) => us switch
    {
        null => Unknown,
        { } odd when !double.IsFinite(odd) => Unknown,
        < 999.5 => Digits(us.Value) + " µs",
        < 999_500 => Digits(us.Value / 1e3) + " ms",
        _ => Digits(us.Value / 1e6) + " s",
    };

    /// <summary>A short duration for an axis: <c>50 µs</c>, <c>2 ms</c>.</summary>
    public static string ShortUs(double us) => us switch
    {
        < 1 => (us * 1e3).ToString("0.##", s_culture) + " ns",
        < 1e3 => us.ToString("0.##", s_culture) + " µs",
        < 1e6 => (us / 1e3).ToString("0.##", s_culture) + " ms",
        _ => (us / 1e6).ToString("0.##", s_culture) + " s",
    };

    /// <summary>A share in %.</summary>
    public static string Percent(double? share, string format = "0.#") =>
        share is { } known && double.IsFinite(known) ? (known * 100).ToString(format, s_culture) + " %" : Unknown;

    /// <summary>Processors used.</summary>
    public static string Processors(double? processors) => processors is { } known ? known.ToString("F2", s_culture) : Unknown;

    /// <summary>A ratio: <c>1.46 ×</c>.</summary>
    public static string Ratio(double? ratio) => ratio is { } known && double.IsFinite(known) ? known.ToString("F2", s_culture) + " ×" : Unknown;

    /// <summary>A quantile: <c>p99.9</c>; 0 is the minimum.</summary>
    public static string Quantile(double quantile) => (quantile * 100).ToString("0.#####", s_culture) + " %";

    private static string Digits(double value) => value.ToString(value switch { < 9.995 => "F2", < 99.95 => "F1", _ => "F0" }, s_culture);
}
