using System.Globalization;
using Larder.Tuner.Report.Drawing;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report.Graphs;

/// <summary>The proof: the rate that was asked for and the one that was reached, service time and what a user would feel.</summary>
internal static class ProofGraphs
{
    /// <summary>Intended and reached rates.</summary>
    public static BarGraph Rates(TuneRun run) => new(
        "proof-rate",
        "Calls due, and calls answered",
        "For each share of the knee's throughput: the calls a second that the schedule made due, and those that ended.",
        "calls a second",
        [
            .. run.Proof.Select(step => new BarGroup(Share(step),
            [
                new Bar("due", "intended", step.IntendedPerSecond, Show.Count(step.IntendedPerSecond)),
                new Bar(
                    $"answered ({Show.Percent(step.Measured.RequestsPerSecond / step.IntendedPerSecond)})",
                    "main",
                    step.Measured.RequestsPerSecond,
                    Show.Count(step.Measured.RequestsPerSecond)),
            ])),
    ]);

    /// <summary>Service time and what a user would feel, against the share of the knee's throughput.</summary>
    public static LineGraph Latency(TuneRun run)
    {
        Series Line(string name, string look, PointShape shape, bool dashed, Func<ProofStep, double> figure) =>
            new(name, look, [.. run.Proof.Select(step => new GraphPoint(step.Percent, figure(step)))]) { Shape = shape, Dashed = dashed };
        Series[] series =
        [
            Line("felt p99.9", "p999", PointShape.Triangle, false, step => step.Measured.Latency.P999Us),
            Line("felt p99", "p99", PointShape.Square, false, step => step.Measured.Latency.P99Us),
            Line("felt p50", "p50", PointShape.Circle, false, step => step.Measured.Latency.P50Us),
            Line("service p99.9", "p999", PointShape.Triangle, true, step => step.Service.P999Us),
            Line("service p99", "p99", PointShape.Square, true, step => step.Service.P99Us),
            Line("service p50", "p50", PointShape.Circle, true, step => step.Service.P50Us),
        ];
        return new LineGraph(
            "proof-latency",
            "What a user would feel, and service time",
            "Open loop: latency from when a call was due (felt), and from when it was really made (service), over the share of the knee's throughput. The "
                + "difference is waiting that a closed loop hides.",
            new Axis(
                "% of the knee's throughput",
                new LinearScale(
                    Math.Floor((run.Proof.Min(step => step.Percent) - 1) / 10) * 10,
                    run.Proof.Max(step => step.Percent),
                    value => value.ToString("0.#", CultureInfo.InvariantCulture)),
                value => value.ToString("0.#", CultureInfo.InvariantCulture) + " %"),
            SearchGraphs.LatencyAxis(series, run.Target),
            series,
            [SearchGraphs.TargetMark(run.Target)]);
    }

    private static string Share(ProofStep step) => string.Create(CultureInfo.InvariantCulture, $"{step.Percent:0.#} % of the knee");
}
