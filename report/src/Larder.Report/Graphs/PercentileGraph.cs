using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Graphs;

/// <summary>
/// A graph of latency by quantile on an axis of nines. It shows, for example, the latency that one call in a thousand or in ten thousand exceeds.
/// </summary>
internal static class PercentileGraph
{
    /// <summary>
    /// Returns a graph with the curve of the knee and the curve of the confirmation. It also contains the curves of the peers at the knee's number of callers.
    /// Returns null if there are no curves.
    /// </summary>
    public static LineGraph? Of(IReadOnlyList<GraphedRun> runs)
    {
        Series[] series = runs.SelectMany(Lines).Where(line => line.Points.Count > 1).ToArray();
        if (series.Length == 0)
        {
            return null;
        }

        return new LineGraph(
            "percentiles",
            "Percentiles",
            "Latency at each percentile. The axis is stretched so that p90, p99, p99.9 and so on are equally spaced. A line ends at the highest "
                + "percentile above which there are at least ten calls.",
            new Axis("percentile of the calls", new NinesScale(series.SelectMany(line => line.Points).Max(point => point.X)), Show.Quantile),
            SearchGraphs.LatencyAxis(series, runs[0].Run.Target),
            series,
            [SearchGraphs.TargetMark(runs[0].Run.Target)])
        {
            Wide = true,
        };
    }

    private static IEnumerable<Series> Lines(GraphedRun run)
    {
        RateStep? proof = RateAnswer.ProofOf(run.Run.Proved, run.Run.Rates);
        // A graph that compares several runs shows one curve for each run: the curve of the confirmation, or the curve of the knee if no rate was proved.
        if (run.Run.KneeRung() is { } knee && (run.Index is null || proof is null))
        {
            yield return Line(run, "closed loop, knee", run.Look("main"), run.IsSecond, Middle(knee));
            foreach ((PeerSeries? peer, int index) in run.Run.Peers.Select((peer, index) => (peer, index)))
            {
                if (peer.Rungs.FirstOrDefault(rung => rung.Callers == knee.Callers) is { } same)
                {
                    yield return Line(run, peer.Name, SearchGraphs.Other(index), true, Middle(same));
                }
            }
        }

        if (proof is not null)
        {
            string rate = $"{Show.Short(proof.RatePerSecond)}/s";
            yield return Line(run, $"felt, {rate}", run.Look("p999"), run.IsSecond, proof.Measured.Latency.Curve);
            if (run.Name.Length == 0)
            {
                yield return Line(run, $"service, {rate}", "p50", true, proof.Service.Curve);
            }
        }
    }

    /// <summary>Returns the median curve of a rung's passes. It ends where the shortest curve of a pass ends.</summary>
    private static IReadOnlyList<QuantilePoint> Middle(SearchRung rung)
    {
        int shortest = rung.Repetitions.Min(one => one.Latency.Curve.Count);
        return
        [
            .. Enumerable
                .Range(0, shortest)
                .Select(i => new QuantilePoint(
                    rung.Repetitions[0].Latency.Curve[i].Quantile,
                    Median.Of(rung.Repetitions.Select(one => one.Latency.Curve[i].Us)))),
        ];
    }

    private static Series Line(GraphedRun run, string name, string look, bool dashed, IReadOnlyList<QuantilePoint> curve) =>
        new(run.Label(name), look, [.. curve.Select(point => new GraphPoint(point.Quantile, point.Us))]) { Dashed = dashed, Shape = PointShape.None };
}
