using System.Globalization;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Graphs;

/// <summary>
/// Graphs of the search for the knee: throughput and latency by concurrency, latency by throughput, and the server's own latency compared with the client's
/// latency.
/// </summary>
internal static class SearchGraphs
{
    private static readonly string[] s_otherLooks = ["other1", "other2", "other3", "other4"];

    /// <summary>
    /// Returns one graph of the throughput over the number of callers. It has a line for each number of channels and each peer, and marks the knee.
    /// </summary>
    public static LineGraph Throughput(IReadOnlyList<GraphedRun> runs)
    {
        Series[] series = runs.SelectMany(ThroughputSeries).ToArray();
        return new LineGraph(
            "throughput",
            "Throughput against concurrency",
            $"Calls per second over the number of concurrent callers, on a logarithmic axis. {Sentence(runs)}",
            CallersAxis(series),
            new Axis("calls per second", new LinearScale(0, Highest(series), Show.Short), value => Show.Count(value)),
            series,
            [
                .. runs.SelectMany(run =>
                    run.Run.KneeRung() is { } knee
                        ? new[] { new GraphMark(run.Label($"knee: {Callers(knee.Callers)}"), "knee", knee.Callers, knee.RequestsPerSecond) }
                        : []),
            ]);
    }

    /// <summary>Returns a graph of p50, p99 and p99.9 by callers, with the target and the point at which the latency crosses the target.</summary>
    public static LineGraph Latency(IReadOnlyList<GraphedRun> runs)
    {
        Series[] series =
        [
            .. runs.SelectMany(run => new[]
            {
                run.OverCallers("p99.9", "p999", PointShape.Triangle, run.Rungs, rung => rung.P999Us),
                run.OverCallers("p99", "p99", PointShape.Square, run.Rungs, rung => rung.P99Us),
                run.OverCallers("p50", "p50", PointShape.Circle, run.Rungs, rung => rung.P50Us),
            }),
        .. runs.SelectMany(run =>
            run.Run.Peers.Select(
                (peer, index) =>
                    run.OverCallers($"p99.9 {peer.Name}", Other(index), PointShape.Diamond, peer.Rungs, rung => rung.P999Us) with
                    {
                        Dashed = true,
                    })),
        ];
        TuneTarget target = runs[0].Run.Target;
        return new LineGraph(
            "latency",
            "Latency against concurrency",
            $"p50, p99 and p99.9 over the number of concurrent callers; both axes are logarithmic. {Sentence(runs)}",
            CallersAxis(series),
            LatencyAxis(series, target),
            series,
            [
                TargetMark(target),
                .. runs.SelectMany(run => run.Run.KneeRung() is { } knee ? new[] { new GraphMark(run.Label("knee"), "knee", X: knee.Callers) } : []),
                .. runs.SelectMany(run =>
                    run.Crossing() is { } crossing ? new[] { new GraphMark(run.Label("target crossed"), "target", X: crossing.Callers) } : []),
            ]);
    }

    /// <summary>Returns a graph of the latency at the target's percentile, by throughput. Each point shows one number of callers.</summary>
    public static LineGraph Curve(IReadOnlyList<GraphedRun> runs)
    {
        Series[] series = runs.SelectMany(CurveSeries).ToArray();
        TuneTarget target = runs[0].Run.Target;
        return new LineGraph(
            "curve",
            "Latency against throughput",
            $"{target.Name()} over calls per second; each point is one number of callers, increasing from the left. {Sentence(runs)}",
            new Axis(
                "calls per second",
                new LinearScale(0, series.SelectMany(line => line.Points).Select(point => point.X).DefaultIfEmpty(1).Max(), Show.Short),
                value => Show.Count(value)),
            LatencyAxis(series, target),
            series,
            [
                TargetMark(target),
                .. runs.SelectMany(run =>
                    run.Run.KneeRung() is { } knee
                        ? new[] { new GraphMark(run.Label($"knee: {Callers(knee.Callers)}"), "knee", knee.RequestsPerSecond, run.TargetLatencyUs(knee)) }
                        : []),
                .. runs.SelectMany(run =>
                    run.Crossing() is { } crossing
                        ? new[]
                        {
                            new GraphMark(
                                run.Label($"crossed at about {Callers(crossing.Callers)}"),
                                "target",
                                crossing.RequestsPerSecond,
                                run.Run.Target.LimitUs),
                        }
                        : []),
            ])
        {
            Wide = true,
        };
    }

    /// <summary>Returns a graph of the client's latency and the server's own latency. Returns null if no rung contains the server's latency.</summary>
    public static LineGraph? ClientAndServer(GraphedRun run)
    {
        if (run.Rungs.All(rung => rung.Repetitions.All(one => one.Server is null)))
        {
            return null;
        }

        Series[] series =
        [
            run.OverCallers("client p99.9", "p999", PointShape.Triangle, run.Rungs, rung => rung.P999Us),
            run.OverCallers("client p50", "p50", PointShape.Circle, run.Rungs, rung => rung.P50Us),
            run.OverCallers("server p99.9", "p999", PointShape.Triangle, run.Rungs, rung => rung.MedianOfKnown(one => one.Server?.P999Us)) with
            {
                Dashed = true,
            },
            run.OverCallers("server p50", "p50", PointShape.Circle, run.Rungs, rung => rung.MedianOfKnown(one => one.Server?.P50Us)) with
            {
                Dashed = true,
            },
        ];
        return new LineGraph(
            "server",
            "Client latency and server latency",
            "Latency seen by the caller, and the part measured in the server, over the number of concurrent callers. The difference between the "
                + "two is the client's queue, its processor time and the network.",
            CallersAxis(series),
            new Axis("latency", new LogScale(series.SelectMany(line => line.Points).Select(point => point.Y), Show.ShortUs), value => Show.Us(value)),
            series,
            run.Run.KneeRung() is { } knee ? [new GraphMark("knee", "knee", X: knee.Callers)] : [])
        {
            Wide = true,
        };
    }

    /// <summary>Returns the CSS class of a line that shows another library, or a number of channels other than the knee's.</summary>
    public static string Other(int index) => s_otherLooks[index % s_otherLooks.Length];

    /// <summary>Returns the target as a horizontal line.</summary>
    public static GraphMark TargetMark(TuneTarget target) => new($"target: {target.Name()} < {Show.ShortUs(target.LimitUs)}", "target", Y: target.LimitUs);

    /// <summary>Returns a latency axis that includes the target.</summary>
    public static Axis LatencyAxis(IEnumerable<Series> series, TuneTarget target) =>
        new(
            "latency",
            new LogScale(series.SelectMany(line => line.Points).Select(point => point.Y).Append(target.LimitUs), Show.ShortUs),
            value => Show.Us(value));

    private static IEnumerable<Series> ThroughputSeries(GraphedRun run)
    {
        int kneeChannels = run.Rungs.Count > 0 ? run.Rungs[0].Channels : 0;
        IGrouping<int, SearchRung>[] groups = run.Run.Search.GroupBy(rung => rung.Channels).OrderBy(group => group.Key).ToArray();
        foreach ((IGrouping<int, SearchRung>? group, int index) in groups.Select((group, index) => (group, index)))
        {
            string name = groups.Length == 1 ? run.Run.Client.Language + " " + run.Run.Client.Transport : Channels(group.Key);
            yield return run.OverCallers(
                run.Name.Length > 0 && groups.Length == 1 ? "calls/s" : name,
                group.Key == kneeChannels ? run.Look("main") : Other(index),
                PointShape.Circle,
                group.OrderBy(rung => rung.Callers),
                rung => rung.RequestsPerSecond);
        }

        foreach ((PeerSeries? peer, int index) in run.Run.Peers.Select((peer, index) => (peer, index)))
        {
            yield return run.OverCallers(peer.Name, Other(index), PointShape.Diamond, peer.Rungs, rung => rung.RequestsPerSecond) with { Dashed = true };
        }
    }

    private static IEnumerable<Series> CurveSeries(GraphedRun run)
    {
        double quantile = run.Run.Target.Quantile;
        Series Line(string name, string look, PointShape shape, IReadOnlyList<SearchRung> rungs, bool dashed) =>
            new(
                run.Label(name),
                look,
                [.. rungs.Select(rung => new GraphPoint(rung.RequestsPerSecond, rung.Middle(one => one.Latency.AtUs(quantile)), Callers(rung.Callers)))])
            {
                Shape = shape,
                Dashed = dashed,
            };
        yield return Line(run.Run.Target.Name(), run.Look("p999"), PointShape.Triangle, run.Rungs, run.IsSecond);
        foreach ((PeerSeries? peer, int index) in run.Run.Peers.Select((peer, index) => (peer, index)))
        {
            yield return Line(peer.Name, Other(index), PointShape.Diamond, peer.Rungs, true);
        }
    }

    private static Axis CallersAxis(IEnumerable<Series> series) =>
        new(
            "concurrent callers",
            new LogScale(series.SelectMany(line => line.Points).Select(point => point.X), Show.Short, tight: true),
            value => Show.Count(value));

    private static double Highest(IEnumerable<Series> series) => series.SelectMany(line => line.Points).Select(point => point.Y).DefaultIfEmpty(1).Max();

    private static string Callers(double callers) => callers < 1.5 ? "1 caller" : callers.ToString("N0", CultureInfo.InvariantCulture) + " callers";

    private static string Channels(int channels) => channels switch
    {
        0 => "default channels",
        1 => "1 channel",
        _ => $"{channels} channels",
    };

    private static string Sentence(IReadOnlyList<GraphedRun> runs) => string.Join(' ', runs.Select(run => run.Run.KneeRung() is { } knee
        ? $"{(run.Name.Length > 0 ? run.Name + ": the" : "The")} knee is at {Callers(knee.Callers)} with {Show.Count(knee.RequestsPerSecond)} calls a "
            + $"second and a {run.Run.Target.Name()} of {Show.Us(run.TargetLatencyUs(knee))}."
        : $"{(run.Name.Length > 0 ? run.Name + ": no" : "No")} step is within the target."));
}
