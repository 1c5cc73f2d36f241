using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Graphs;

/// <summary>Graphs of throughput and latency by number of channels.</summary>
internal static class ChannelGraphs
{
    private static readonly (string Look, PointShape Shape)[] s_looks =
    [
        ("main", PointShape.Circle),
        ("p999", PointShape.Triangle),
        ("other1", PointShape.Square),
        ("other2", PointShape.Diamond),
        ("other3", PointShape.Circle),
        ("other4", PointShape.Square),
    ];

    public static LineGraph Throughput(TuneRun run)
    {
        Series[] series = Lines(run, one => one.RequestsPerSecond);
        return new LineGraph(
            "channel-throughput",
            "Throughput against channels",
            "Calls per second over the number of channels, one line for each number of callers and each variant.",
            ChannelsAxis(run),
            new Axis(
                "calls per second",
                new LinearScale(0, series.SelectMany(line => line.Points).Max(point => point.Y), Show.Short),
                value => Show.Count(value)),
            series,
            []);
    }

    public static LineGraph Latency(TuneRun run)
    {
        Series[] series = Lines(run, one => one.Latency.AtUs(run.Target.Quantile));
        return new LineGraph(
            "channel-latency",
            $"{run.Target.Name()} against channels",
            $"{run.Target.Name()} over the number of channels, one line for each number of callers and each variant.",
            ChannelsAxis(run),
            SearchGraphs.LatencyAxis(series, run.Target),
            series,
            [SearchGraphs.TargetMark(run.Target)]);
    }

    private static Series[] Lines(TuneRun run, Func<Measurement, double> figure) =>
    [
        .. run
            .Channels.GroupBy(row => row.Variant.Length > 0 ? $"{row.Where}, {row.Variant}" : row.Where)
            .Select(
                (group, index) =>
                    new Series(
                        group.Key,
                        s_looks[index % s_looks.Length].Look,
                        [.. group.OrderBy(row => row.Channels).Select(row => new GraphPoint(row.Channels, Median.Of(row.Repetitions.Select(figure))))])
            {
                Shape = s_looks[index % s_looks.Length].Shape,
                Dashed = index % 2 == 1,
            }),
    ];

    private static Axis ChannelsAxis(TuneRun run) =>
        new("channels", new LogScale(run.Channels.Select(row => (double)row.Channels), Show.Short, tight: true), value => Show.Count(value));
}
