using System.Globalization;

namespace Larder.Lab.Adaptive;

/// <summary>Formats the results of the adaptive limit as Markdown.</summary>
internal static class AdaptiveTables
{
    /// <summary>Formats one result for the terminal.</summary>
    public static string Line(CapFigure figure) => string.Create(
        CultureInfo.InvariantCulture,
        $"{Name(figure.Cap),8}: {figure.RequestsPerSecond,8:F1}/s  p50 {figure.P50Ms,6:F1} ms  p99.9 {figure.P999Ms,6:F1} ms  final limit "
            + $"{figure.LimitAtEnd}");

    /// <summary>Formats a table with a row for each result.</summary>
    public static IEnumerable<string> Of(IReadOnlyList<CapFigure> figures) =>
    [
        "| limit | requests/s | p50 ms | p99.9 ms | final limit | failed |",
        "|---|---:|---:|---:|---:|---:|",
        .. figures.Select(figure => string.Create(
            CultureInfo.InvariantCulture,
            $"| {Name(figure.Cap)} | {figure.RequestsPerSecond:F1} | {figure.P50Ms:F1} | {figure.P999Ms:F1} | {figure.LimitAtEnd} | {figure.Failures} |")),
    ];

    /// <summary>Formats a table with a row for each round of the slow part.</summary>
    public static IEnumerable<string> Of(IReadOnlyList<(SlowdownResult Fixed, SlowdownResult Adaptive)> pairs) =>
    [
        "| round | requests/s while slow, fixed | adaptive | ratio | requests/s afterwards, fixed | adaptive | ratio |",
        "|---:|---:|---:|---:|---:|---:|---:|",
        .. pairs.Select((pair, round) => string.Create(
            CultureInfo.InvariantCulture,
            $"| {round + 1} | {pair.Fixed.RateWhileSlow:F1} | {pair.Adaptive.RateWhileSlow:F1} | {pair.Adaptive.RateWhileSlow / pair.Fixed.RateWhileSlow:F3} | "
                + $"{pair.Fixed.Afterwards:F1} | {pair.Adaptive.Afterwards:F1} | {pair.Adaptive.Afterwards / pair.Fixed.Afterwards:F3} |")),
    ];

    /// <summary>Formats a table with the adaptive limit in each second of a run.</summary>
    public static IEnumerable<string> Timeline(SlowdownResult run) =>
    [
        "The adaptive limit in the last round:",
        "",
        "| second | server | calls | limit | target |",
        "|---:|---|---:|---:|---|",
        .. run.Seconds.Select(
            (second, at) =>
                $"| {at + 1} | {(at >= run.Times.Before && at < run.Times.Before + run.Times.Slow ? "slow" : "normal")} | {second.Calls} | {second.Limit} | "
                    + $"{(second.OutOfReach ? "out of reach" : "in reach")} |"),
    ];

    private static string Name(int? cap) => cap?.ToString(CultureInfo.InvariantCulture) ?? "adaptive";
}
