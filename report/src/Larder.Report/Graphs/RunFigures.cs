using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Graphs;

/// <summary>All graphs of a run, in the order of the page. Graphs without measurements are omitted.</summary>
internal static class RunFigures
{
    public static IReadOnlyList<IGraph> Of(TuneRun run)
    {
        var graphed = new GraphedRun(run);
        GraphedRun[] alone = [graphed];
        IEnumerable<IGraph?> graphs =
        [
            .. run.Rates.Count > 0 ? [RateGraphs.Latency(alone), RateGraphs.Answered(alone), RateGraphs.Stalls(alone)] : Array.Empty<IGraph?>(),
            .. run.Search.Count > 0 ? [SearchGraphs.Throughput(alone), SearchGraphs.Latency(alone), SearchGraphs.Curve(alone)] : Array.Empty<IGraph?>(),
            PercentileGraph.Of(alone),
            run.Timeline.Count > 0 ? TimelineGraph.Of(run) : null,
            SearchGraphs.ClientAndServer(graphed),
            .. run.Channels.Count > 0 ? [ChannelGraphs.Throughput(run), ChannelGraphs.Latency(run)] : Array.Empty<IGraph?>(),
            .. run.Adaptive.Count > 0 ? [AdaptiveGraphs.Throughput(run), AdaptiveGraphs.Latency(run)] : Array.Empty<IGraph?>(),
        ];
        return [.. graphs.OfType<IGraph>()];
    }
}
