using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>Formats the results of an experiment as a table with the measured values and the published result.</summary>
internal static class StoryTables
{
    /// <summary>Returns the rows. Values of two or more passes are followed by their lowest and highest value.</summary>
    public static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Of(StoryStep step)
    {
        bool connections = step.Rows.Any(row => row.Passes.Count > 0 && row.Connections is not null);
        bool failures = step.Rows.Any(row => row.Passes.Count > 0 && row.FailedShare > 0);
        string[] headers =
        [
            "scenario",
            "requests/s",
            "p50",
            "p99.9",
            .. failures ? ["failed", "slowest"] : Array.Empty<string>(),
            .. connections ? ["connections"] : Array.Empty<string>(),
            "client processors",
            "published",
        ];
        return (headers, [.. step.Rows.Select(row => RowOf(row, failures, connections))]);
    }

    private static IReadOnlyList<string> RowOf(StoryRow row, bool failures, bool connections)
    {
        if (row.Passes.Count == 0)
        {
            return
            [
                row.Name, "not measured", Show.Unknown, Show.Unknown, .. failures ? [Show.Unknown, Show.Unknown] : Array.Empty<string>(),
                .. connections ? [Show.Unknown] : Array.Empty<string>(), Show.Unknown, row.Published?.Text ?? Show.Unknown,
            ];
        }

        return
        [
            row.Name + (row.Noisy ? " ~" : ""),
            Spread(row, one => one.RequestsPerSecond, value => Show.Count(value)),
            Spread(row, one => one.Latency.P50Us, value => Show.Us(value)),
            Spread(row, one => one.Latency.P999Us, value => Show.Us(value)) + (row.EnoughForP999 ? "" : " *"),
            .. failures ? [Show.Percent(row.FailedShare), Show.Us(row.SlowestUs)] : Array.Empty<string>(),
            .. connections ? [Show.Count(row.Connections)] : Array.Empty<string>(),
            Show.Processors(row.Middle(one => one.ClientCpu)),
            row.Published?.Text ?? Show.Unknown,
        ];
    }

    private static string Spread(StoryRow row, Func<Measurement, double> figure, Func<double, string> cell) =>
        row.Passes.Count == 1
            ? cell(row.Middle(figure))
            : $"{cell(row.Middle(figure))} ({cell(row.Passes.Min(figure))}–{cell(row.Passes.Max(figure))})";
}
