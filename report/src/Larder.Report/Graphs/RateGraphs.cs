using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Graphs;

/// <summary>Graphs of the rate search: latency by scheduled rate, with the target, the proved rate, and the machine's stalls.</summary>
internal static class RateGraphs
{
    /// <summary>
    /// Returns a graph of latency by scheduled calls per second, as measured with the largest concurrency limit. It shows the latency from the due time of a
    /// call, which users experience, and the service latency. If there are several runs, it shows only the latency at the target's percentile.
    /// </summary>
    public static LineGraph Latency(IReadOnlyList<GraphedRun> runs)
    {
        TuneTarget target = runs[0].Run.Target;
        Series[] series = [.. runs.SelectMany(run => Lines(run, runs.Count > 1)).Where(line => line.Points.Count > 0)];
        return new LineGraph(
            "rates",
            "Latency against the scheduled rate",
            "Latency over the scheduled calls per second, with calls at random intervals. Felt latency starts at the scheduled time, and service latency at "
                + "the send time. The difference is waiting time that a closed loop hides. The band is the 95 % interval. "
                + string.Join(' ', runs.Select(run => run.Label(Headline.Of(run.Run)))),
            new Axis(
                "scheduled calls per second",
                new LogScale(series.SelectMany(line => line.Points).Select(point => point.X), Show.Short, tight: true),
                value => Show.Count(value)),
            SearchGraphs.LatencyAxis(series, target),
            series,
            [
                SearchGraphs.TargetMark(target),
                .. runs.SelectMany(run =>
                    run.Run.Proved is { } proved
                        ? new[]
                        {
                            new GraphMark(
                                run.Label($"{Show.Count(proved.RatePerSecond)}, limit {Show.Count(proved.Cap)}"),
                                "knee",
                                proved.RatePerSecond,
                                proved.TargetUs),
                        }
                        : []),
            ])
        {
            Wide = true,
        };
    }

    /// <summary>
    /// Returns a graph of the share of the tail that the machine's stalls may have caused, by scheduled rate. Returns null if stalls were not measured.
    /// </summary>
    public static LineGraph? Stalls(IReadOnlyList<GraphedRun> runs)
    {
        Series[] series =
        [
            .. from run in runs
               let steps = RateAnswer.LastOfEachRate(run.Run.Rates).Where(step => step.StallShareOfTail is not null)
               let points = steps.Select(step => new GraphPoint(step.RatePerSecond, step.StallShareOfTail!.Value, NoteOf(step))).ToArray()
               where points.Length > 0
               select new Series(run.Label("of the tail"), run.Look("other1"), points) { Shape = PointShape.Diamond, Dashed = run.IsSecond },
        ];
        return series.Length == 0
            ? null
            : new LineGraph(
                "stalls",
                "Slowest calls that machine stalls may explain",
                "Share of the slowest calls (those above the target's percentile) that machine stalls may explain. It is the share of time in which the "
                    + "machine stalled, divided by the share of calls that may exceed the target. At 100 %, the result says nothing about the client or the "
                    + "server.",
                new Axis(
                    "scheduled calls per second",
                    new LogScale(series.SelectMany(line => line.Points).Select(point => point.X), Show.Short, tight: true),
                    value => Show.Count(value)),
                new Axis("share of the slowest calls (maximum)", new LinearScale(0, 1, share => Show.Percent(share)), share => Show.Percent(share)),
                series,
                []);
    }

    /// <summary>Returns a graph of completed calls by due calls. Where the line leaves the diagonal, calls were lost or queued.</summary>
    public static LineGraph Answered(IReadOnlyList<GraphedRun> runs)
    {
        Series[] series =
        [
            .. runs.Select(run =>
                new Series(
                    run.Label("answered"),
                    run.Look("main"),
                    [
                        .. RateAnswer.LastOfEachRate(run.Run.Rates)
                            .Select(step => new GraphPoint(step.RatePerSecond, step.Measured.RequestsPerSecond, NoteOf(step))),
                    ])
                {
                    Dashed = run.IsSecond,
                }),
        ];
        double[] due = [.. series.SelectMany(line => line.Points).Select(point => point.X)];
        var even = new Series("due", "intended", [new(due.Min(), due.Min()), new(due.Max(), due.Max())]) { Shape = PointShape.None, Dashed = true };
        double most = series.SelectMany(line => line.Points).Select(point => point.Y).Append(due.Max()).Max();
        return new LineGraph(
            "answered",
            "Throughput against the scheduled rate",
            "Completed calls per second over scheduled calls per second; on the dashed line both are equal.",
            new Axis("scheduled calls per second", new LinearScale(0, due.Max(), Show.Short), value => Show.Count(value)),
            new Axis("completed calls per second", new LinearScale(0, most, Show.Short), value => Show.Count(value)),
            [even, .. series],
            []);
    }

    private static IEnumerable<Series> Lines(GraphedRun run, bool onlyTarget)
    {
        RateStep[] steps = [.. RateAnswer.LastOfEachRate(run.Run.Rates)];
        Series Line(string name, string look, PointShape shape, bool dashed, Func<RateStep, double?> figure) =>
            new(
                run.Label(name),
                look,
                [.. from step in steps let us = figure(step) where us > 0 select new GraphPoint(step.RatePerSecond, us.Value, NoteOf(step))])
            {
                Shape = shape,
                Dashed = dashed,
            };
        yield return Line($"felt {run.Run.Target.Name()}", run.Look("p999"), PointShape.Triangle, run.IsSecond, step => step.TargetUs) with
        {
            Band =
            [
                .. from step in steps
                   let us = step.TargetUs ?? 0
                   let low = step.LowUs ?? 0
                   where us > 0 && low > 0
                   select (step.RatePerSecond, low, step.HighUs ?? us),
            ],
        };
        if (onlyTarget)
        {
            yield break;
        }

        yield return Line("felt p50", "p50", PointShape.Circle, false, step => step.Measured.Latency.P50Us);
        yield return Line($"service {run.Run.Target.Name()}", "p99", PointShape.Square, true, step => step.Service.AtUs(run.Run.Target.Quantile));
        yield return Line("worst machine stall", "other1", PointShape.Diamond, true, step => step.Measured.Stalls?.WorstUs);
    }

    private static string NoteOf(RateStep step) => $"limit {Show.Count(step.Cap)}{(step.Measured.Noisy ? ", disturbed by other programs" : "")}";
}
