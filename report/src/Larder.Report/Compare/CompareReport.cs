using System.Text;
using Larder.Report.Drawing;
using Larder.Report.Graphs;
using Larder.Report.Page;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report.Compare;

/// <summary>Compares two runs on a self-contained HTML page.</summary>
internal static class CompareReport
{
    /// <summary>
    /// Returns the page. <paramref name="unlike"/> lists the differences between the machines, if the runs were compared despite these differences.
    /// </summary>
    public static string Of(TuneRun a, TuneRun b, string nameA, string nameB, IReadOnlyList<string> unlike)
    {
        GraphedRun[] runs = [new(Bare(a), "A"), new(Bare(b), "B", IsSecond: true)];
        var text = new StringBuilder();
        text.Append($"<header><p class=\"kind\">Larder tuning comparison</p><h1>{Html.Escape(Title(a, b))}</h1>");
        text.Append($"<p class=\"lead\">A, solid: {Html.Escape(nameA)}. B, dashed: {Html.Escape(nameB)}.</p></header>\n");
        string[] notes = unlike.Select(difference => $"<li><span class=\"failed\">different machines</span>: {Html.Escape(difference)}</li>")
            .Concat(RunComparability.OtherDifferences(a, b).Concat(RunComparability.Notes(a, b)).Select(difference => $"<li>{Html.Escape(difference)}</li>"))
            .ToArray();
        text.Append(
            notes.Length == 0 ? "" : $"<ul class=\"notes\" aria-label=\"Differences between A and B, and notes\">{string.Concat(notes)}</ul>\n");
        if (runs.Any(run => run.Run.Rates.Count > 0))
        {
            text.Append("<section aria-labelledby=\"proof\"><h2 id=\"proof\">The rate search</h2>")
                .Append(PagePiece.Figures([(RateGraphs.Latency(runs), "Latency from the scheduled time of each call.")]))
                .Append(PagePiece.Panel(ComparedRuns.Answers(a, b), "The results"))
                .Append("</section>\n");
        }

        text.Append("<section aria-labelledby=\"search\"><h2 id=\"search\">The closed loop</h2>");
        text.Append(PagePiece.Figures(
        [
            (SearchGraphs.Throughput(runs), "Calls per second."),
            (SearchGraphs.Latency(runs), "Latency seen by the caller, including failures."),
            (SearchGraphs.Curve(runs), "Each point shows the result for one number of callers."),
        ]));
        text.Append(PagePiece.Panel(ComparedRuns.Search(a, b), "A and B at the same number of callers")).Append("</section>\n");
        if (PercentileGraph.Of(runs) is { } percentiles)
        {
            text.Append(
                $"<section aria-labelledby=\"tails\"><h2 id=\"tails\">The tail</h2>"
                    + $"{PagePiece.Figures([(percentiles, "On the axis, p90, p99, p99.9 and so on are equally spaced.")])}</section>\n");
        }

        foreach ((string? name, TuneRun? run) in new[] { ("A", a), ("B", b) })
        {
            text.Append(
                $"<section aria-labelledby=\"run-{name}\"><h2 id=\"run-{name}\">{name}: environment and "
                    + $"settings</h2><p>{Html.Escape(Headline.Of(run))}</p><dl class=\"facts\">");
            text.Append(string.Concat(RunTables.Environment(run).Select(fact => $"<dt>{fact.Name}</dt><dd>{Html.Escape(fact.Value)}</dd>")));
            text.Append($"<dt>Command</dt><dd><code>{Html.Escape(run.Command)}</code></dd></dl></section>\n");
        }

        return HtmlPage.Of(Title(a, b), text.ToString());
    }

    /// <summary>Returns the result of the comparison as a sentence.</summary>
    public static string Title(TuneRun a, TuneRun b) => a.Proved is { } provedA && b.Proved is { } provedB
        ? $"B's proved rate is {Show.Ratio(provedB.RatePerSecond / provedA.RatePerSecond)} A's: {Show.Count(provedB.RatePerSecond)} to "
            + $"{Show.Count(provedA.RatePerSecond)} calls per second."
        : a.Proved is not null || b.Proved is not null
        ? $"Only {(a.Proved is null ? "B" : "A")} has a proved rate: {Show.Count((a.Proved ?? b.Proved)!.RatePerSecond)} calls per second."
        : a.KneeRung() is { } kneeA && b.KneeRung() is { } kneeB
        ? $"At their knees, B reaches {Show.Ratio(kneeB.RequestsPerSecond / kneeA.RequestsPerSecond)} A's throughput, with "
            + $"{Show.Ratio(kneeB.P999Us / kneeA.P999Us)} its p99.9."
        : "The results cannot be compared: neither run has a proved rate, and at least one run has no knee.";

    /// <summary>Removes the results of the peers from a run. A graph with the peers of two runs would be unreadable.</summary>
    private static TuneRun Bare(TuneRun run) => run with { Peers = [] };
}
