using System.Globalization;

namespace Larder.Report.Drawing;

/// <summary>Formats values with their units for readers. Thousands are separated by commas, and there are at least three significant digits.</summary>
internal static class Show
{
    private static readonly CultureInfo s_culture = CultureInfo.InvariantCulture;

    /// <summary>The text for an unknown value.</summary>
    public const string Unknown = "–";

    /// <summary>Formats a count or a rate in calls per second.</summary>
    public static string Count(double? count) =>
        count is { } known && double.IsFinite(known) ? known.ToString(known is > 0 and < 10 ? "0.##" : "N0", s_culture) : Unknown;

    /// <summary>Formats a count briefly for an axis: <c>950k</c>, <c>1.5M</c>.</summary>
    public static string Short(double count) => Math.Abs(count) switch
    {
        >= 1e6 => (count / 1e6).ToString("0.##", s_culture) + "M",
        >= 1e3 => (count / 1e3).ToString("0.##", s_culture) + "k",
        _ => count.ToString("0.##", s_culture),
    };

    /// <summary>Formats a duration with its unit: <c>93.8 µs</c>, <c>3.98 ms</c>, <c>1.20 s</c>.</summary>
    public static string Us(double? us) => us switch
    {
        null => Unknown,
        { } odd when !double.IsFinite(odd) => Unknown,
        < 999.5 => Digits(us.Value) + " µs",
        < 999_500 => Digits(us.Value / 1e3) + " ms",
        _ => Digits(us.Value / 1e6) + " s",
    };

    /// <summary>Formats a duration briefly for an axis: <c>50 µs</c>, <c>2 ms</c>.</summary>
    public static string ShortUs(double us) => us switch
    {
        < 1 => (us * 1e3).ToString("0.##", s_culture) + " ns",
        < 1e3 => us.ToString("0.##", s_culture) + " µs",
        < 1e6 => (us / 1e3).ToString("0.##", s_culture) + " ms",
        _ => (us / 1e6).ToString("0.##", s_culture) + " s",
    };

    /// <summary>Formats a share in %.</summary>
    public static string Percent(double? share, string format = "0.#") =>
        share is { } known && double.IsFinite(known) ? (known * 100).ToString(format, s_culture) + " %" : Unknown;

    /// <summary>Formats the number of processors used.</summary>
    public static string Processors(double? processors) => processors is { } known ? known.ToString("F2", s_culture) : Unknown;

    /// <summary>Formats a ratio: <c>1.46 ×</c>.</summary>
    public static string Ratio(double? ratio) => ratio is { } known && double.IsFinite(known) ? known.ToString("F2", s_culture) + " ×" : Unknown;

    /// <summary>Formats a quantile as a percentage: <c>99.9 %</c>.</summary>
    public static string Quantile(double quantile) => (quantile * 100).ToString("0.#####", s_culture) + " %";

    private static string Digits(double value) => value.ToString(value switch { < 9.995 => "F2", < 99.95 => "F1", _ => "F0" }, s_culture);
}
