using Larder.Tuner.Report.Drawing;
using Larder.Tuner.Search;
using Larder.Tuner.Tune;
using Larder.Tuner.Tune.Rates;

namespace Larder.Tuner.Report.Graphs;

/// <summary>The rate search: latency against the scheduled rate, with the target, the answer, and what the machine itself withheld.</summary>
internal static class RateGraphs
{
    /// <summary>Felt and service latency against the calls due a second, with the largest cap; of several runs only the target's.</summary>
    public static LineGraph Latency(IReadOnlyList<GraphedRun> runs)
    {
        TuneTarget target = runs[0].Run.Target;
        Series[] series = [.. runs.SelectMany(run => Lines(run, runs.Count > 1)).Where(line => line.Points.Count > 0)];
        return new LineGraph(
            "rates",
            "Latency against the scheduled rate",
            "Calls due at random intervals; latency from when a call was due (felt), and from when it was really made (service), over the calls due a second. "
                + "The difference is waiting that a closed loop hides. " + string.Join(' ', runs.Select(run => run.Label(Headline.Of(run.Run)))),
            new Axis(
                "calls due a second",
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
                                run.Label($"{Show.Count(proved.RatePerSecond)}, cap {Show.Count(proved.Cap)}"),
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

    private static IEnumerable<Series> Lines(GraphedRun run, bool onlyTarget)
    {
        RateStep[] steps = [.. StepsOf(run.Run)];
        Series Line(string name, string look, PointShape shape, bool dashed, Func<RateStep, double?> figure) =>
            new(
                run.Label(name),
                look,
                [.. from step in steps let us = figure(step) where us > 0 select new GraphPoint(step.RatePerSecond, us.Value, NoteOf(step))])
            {
                Shape = shape,
                Dashed = dashed,
            };
        yield return Line($"felt {run.Run.Target.Name()}", "p999", PointShape.Triangle, run.IsSecond, step => step.TargetUs);
        if (onlyTarget)
        {
            yield break;
        }

        yield return Line("felt p50", "p50", PointShape.Circle, false, step => step.Measured.Latency.P50Us);
        yield return Line($"service {run.Run.Target.Name()}", "p99", PointShape.Square, true, step => step.Service.AtUs(run.Run.Target.Quantile));
        yield return Line("worst machine stall", "other1", PointShape.Diamond, true, step => step.Measured.Stalls?.WorstUs);
    }

    /// <summary>One step for each rate: the confirmation where there is one, else the last probe.</summary>
    private static IEnumerable<RateStep> StepsOf(TuneRun run) =>
        from step in run.Rates
        where step.Kind != RateStepKind.Cap
        group step by step.RatePerSecond into same
        orderby same.Key
        select same.Last();

    private static string NoteOf(RateStep step) => $"cap {Show.Count(step.Cap)}{(step.Measured.Noisy ? ", other programs disturbed it" : "")}";
}
