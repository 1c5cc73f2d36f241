using System.Text;
using Larder.Report.Compare;
using Larder.Report.Drawing;
using Larder.Report.Graphs;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report.Page;

/// <summary>Compares several runs on a self-contained HTML page. Each run has one line in a separate colour, and one row in each table.</summary>
internal static class OverlayReport
{
    /// <summary>Returns the page.</summary>
    /// <param name="runs">
    /// The runs with their names, which are usually file names. The maximum number of runs is the number of <see cref="GraphedRun.Looks"/>.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">There are too many runs.</exception>
    public static string Of(IReadOnlyList<(string Name, TuneRun Run)> runs)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(runs.Count, GraphedRun.Looks.Count);
        // Peers are omitted, because a graph with more than one line per run would be unreadable.
        GraphedRun[] graphed = [.. runs.Select((one, index) => new GraphedRun(one.Run with { Peers = [] }, Letter(index), Index: index))];
        string title = $"{runs.Count} runs combined";
        var text = new StringBuilder();
        text.Append($"<header><p class=\"kind\">Larder tuning report</p><h1>{title}</h1><ul class=\"lead\">");
        text.AppendJoin("", runs.Select((one, index) => $"<li>{Letter(index)}: {Html.Escape(one.Name)}. {Html.Escape(Headline.Of(one.Run))}</li>"));
        text.Append("</ul></header>\n");
        text.Append(PagePiece.Banner(Unlike(runs)));
        foreach ((string name, TuneRun run) in graphed.Select(one => (one.Name, one.Run)))
        {
            text.Append(PagePiece.Banner(NoiseBanner.Of(run) is { } noise ? $"{name}: {noise}" : null));
        }

        text.Append("<section aria-labelledby=\"answers\"><h2 id=\"answers\">The results</h2>")
            .Append(PagePiece.Panel(Table(runs), "The results"))
            .Append("</section>\n");
        GraphedRun[] scheduled = [.. graphed.Where(one => one.Run.Rates.Count > 0)];
        Section(text, "proof", "The rate search", scheduled.Length == 0 ? [] : [RateGraphs.Latency(scheduled), RateGraphs.Stalls(scheduled)]);
        GraphedRun[] closed = [.. graphed.Where(one => one.Run.Search.Count > 0)];
        Section(text, "search", "The closed loop", closed.Length == 0 ? [] : [SearchGraphs.Throughput(closed), SearchGraphs.Curve(closed)]);
        Section(text, "tails", "The tail", [PercentileGraph.Of(graphed)]);
        return HtmlPage.Of(title, text.ToString());
    }

    private static string Letter(int index) => ((char)('A' + index)).ToString();

    /// <summary>Describes how the machines of the other runs differ from the machine of the first run. Returns null if they do not differ.</summary>
    private static string? Unlike(IReadOnlyList<(string Name, TuneRun Run)> runs)
    {
        string[] differences =
        [
            .. runs.Skip(1)
                .SelectMany((one, index) => RunComparability.UnlikeMachines(runs[0].Run, one.Run)
                    .Select(difference => $"A and {Letter(index + 1)}, {difference}")),
        ];
        return differences.Length == 0
            ? null
            : $"Measured on different machines, so the figures can hardly be compared: {string.Join("; ", differences)}.";
    }

    private static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Table(IReadOnlyList<(string Name, TuneRun Run)> runs) =>
    (
        ["run", "client", "target", "proved calls/s", "limit", "percentile, interval", "lowest miss", "knee, calls/s", "knee, in flight"],
        [
            .. runs.Select((one, index) => (IReadOnlyList<string>)
            [
                Letter(index),
                $"{one.Run.Client.Language} {one.Run.Client.Transport}, {one.Run.Client.Network}",
                TargetText.Of(one.Run.Target),
                one.Run.Proved is { } proved ? Show.Count(proved.RatePerSecond) : "no answer",
                Show.Count(one.Run.Proved?.Cap),
                one.Run.Proved is { } known ? RateAnswer.FigureOf(one.Run.Target, known) : Show.Unknown,
                Show.Count(one.Run.Proved is { } answer ? RateAnswer.LowestMiss(answer, one.Run.Rates) : null),
                Show.Count(one.Run.KneeRung()?.RequestsPerSecond),
                Show.Count(one.Run.KneeRung()?.Callers),
            ]),
        ]
    );

    private static void Section(StringBuilder text, string id, string title, IReadOnlyList<IGraph?> graphs)
    {
        if (graphs.OfType<IGraph>().ToArray() is { Length: > 0 } drawn)
        {
            text.Append($"<section aria-labelledby=\"{id}\"><h2 id=\"{id}\">{title}</h2>")
                .Append(PagePiece.Figures([.. drawn.Select(graph => (graph, graph.Description))]))
                .Append("</section>\n");
        }
    }
}
