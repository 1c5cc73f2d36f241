using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Graphs;

/// <summary>Graphs that compare the adaptive concurrency limit with fixed limits.</summary>
internal static class AdaptiveGraphs
{
    public static BarGraph Throughput(TuneRun run) => new(
        "adaptive-throughput",
        "Throughput with an adaptive limit and with fixed limits",
        "Calls per second for each scenario and limit.",
        "calls per second",
        Groups(run, row => row.Measured.RequestsPerSecond, value => Show.Count(value)));

    public static BarGraph Latency(TuneRun run) => new(
        "adaptive-latency",
        $"{run.Target.Name()} with an adaptive limit and with fixed limits",
        $"{run.Target.Name()} for each scenario and limit; the target is {Show.ShortUs(run.Target.LimitUs)}.",
        run.Target.Name(),
        Groups(run, row => row.Measured.Latency.AtUs(run.Target.Quantile), value => Show.Us(value)));

    private static IReadOnlyList<BarGroup> Groups(TuneRun run, Func<AdaptiveRow, double> figure, Func<double, string> text) =>
    [
        .. run.Adaptive.GroupBy(row => row.Scenario).Select(group => new BarGroup(group.Key,
            [.. group.Select(row => new Bar(row.Cap, row.Range is null ? "intended" : "main", figure(row), text(figure(row))))])),
    ];
}
