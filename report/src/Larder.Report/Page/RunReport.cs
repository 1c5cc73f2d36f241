using System.Globalization;
using System.Text;
using Larder.Report.Drawing;
using Larder.Report.Graphs;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report.Page;

/// <summary>One run as a self-contained HTML page. Sections without measurements are omitted.</summary>
internal static class RunReport
{
    public static string Of(TuneRun run)
    {
        (string Id, string Title, string Lead, string Body)[] sections = Sections(run).Where(section => section.Body.Length > 0).ToArray();
        var text = new StringBuilder(Top(run));
        text.Append("<nav aria-label=\"Sections\">")
            .AppendJoin('\n', sections.Select(section => $"<a href=\"#{section.Id}\">{Html.Escape(section.Title)}</a>"))
            .Append("</nav></header>\n");
        text.Append(PagePiece.Banner(NoiseBanner.Of(run)));
        text.Append(Notes(run));
        foreach ((string? id, string? title, string? lead, string? body) in sections)
        {
            text.Append($"<section aria-labelledby=\"{id}\"><h2 id=\"{id}\">{Html.Escape(title)}</h2><p>{Html.Escape(lead)}</p>\n{body}</section>\n");
        }

        text.Append(
            "<footer>Created by <code>larder tune</code>. Absolute figures do not apply to other machines; compare ratios measured in the same run.</footer>");
        return HtmlPage.Of($"{run.Client.Language} {run.Client.Transport}: {Headline.Of(run)}", text.ToString());
    }

    private static IEnumerable<(string Id, string Title, string Lead, string Body)> Sections(TuneRun run)
    {
        Dictionary<string, IGraph> graphs = RunFigures.Of(run).ToDictionary(graph => graph.Id);
        (IGraph?, string) Figure(string id, string caption) => (graphs.GetValueOrDefault(id), caption);
        yield return ("paste", "Configuration to paste", "The recommended settings as code for the client.", Code(run));
        yield return (
            "proof",
            "The rate search",
            "Open loop: calls are scheduled at random intervals, whether or not earlier calls have completed, and latency is measured from the scheduled "
                + "time. The latency therefore includes the queueing that a user feels. The result is the highest rate that a longer run confirmed.",
            Figures(
                Figure(
                    "rates",
                    "Solid: felt latency, which starts at the scheduled time, with its 95 % interval. Dashed: service latency, which starts at the send time, "
                        + "and the longest stall of the machine."),
                Figure("answered", "Calls completed per second."),
                Figure("stalls", "Share of the slowest calls that machine stalls may explain."))
            + PagePiece.Panel(RunTables.Rates(run), "All steps of the rate search, with 95 % intervals by order statistics")
            + PagePiece.Panel(RunTables.RateVerdicts(run), "Bottleneck of each step that missed the target"));
        yield return (
            "search",
            "The closed loop",
            "Closed loop: each caller sends a call, waits for its response and sends the next. The figures are medians of the passes. The knee is the "
                + "smallest concurrency with at least 98 % of the best throughput within the target. With more callers, calls only wait longer.",
            Figures(
                Figure(
                    "throughput",
                    run.Peers.Count > 0 ? "Calls per second. Dashed: other libraries, measured alternately in the same run." : "Calls per second."),
                Figure("latency", "Latency seen by the caller, including failures."),
                Figure("curve", "Each point shows the result for one number of callers. Above the knee, only the latency increases."))
            + PagePiece.Panel(
                RunTables.Search(run),
                "All steps of the search: medians of the passes. ? means fewer than 10,000 calls in a pass, so p99.9 is based on fewer than ten of them.")
            + PagePiece.Panel(RunTables.SearchVerdicts(run), "Bottleneck of each step, with the measurement that shows it"));
        yield return (
            "tails",
            "The tail",
            "How long the slowest calls take, and when they occur.",
            Figures(
                Figure("percentiles", "On the axis, p90, p99, p99.9 and so on are equally spaced."),
                Figure(
                    "heat",
                    "Each column is a moment of the run. Darker cells contain more of the calls of that moment. The small figures show the step: the number of "
                        + "callers, or the scheduled calls per second.")));
        yield return (
            "sides",
            "Client and server",
            "The same calls, measured in the client and in the server.",
            Figures(Figure("server", "Solid: latency seen by the caller. Dashed: time in the server.")));
        yield return (
            "channels-section",
            "Channels",
            "The same load over several connections.",
            Figures(Figure("channel-throughput", "Calls per second."), Figure("channel-latency", "Latency seen by the caller."))
            + PagePiece.Panel(RunTables.Channels(run), "Channels"));
        yield return (
            "adaptive-section",
            "The adaptive limit",
            "A concurrency limit that adapts to the target, compared with fixed limits.",
            Figures(
                Figure("adaptive-throughput", "Calls per second."),
                Figure(
                    "adaptive-latency",
                    "In the closed loop, latency starts when the limit admits a call, because the limit controls this latency. In the open loop, it starts at "
                        + "the scheduled time."))
            + PagePiece.Panel(RunTables.Adaptive(run), "The adaptive limit and fixed limits"));
        yield return ("environment", "Environment", "The machine and settings of the measurement.", Environment(run));
    }

    private static string Top(TuneRun run)
    {
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"<header><p class=\"kind\">Larder tuning report · {Html.Escape(run.Client.Language)} client, {Html.Escape(run.Client.Transport)} transport · "
                + $"{Html.Escape(run.Workload.Name)} workload · {run.Machine.Date:yyyy-MM-dd}</p>\n");
        text.Append($"<h1>{Html.Escape(Headline.Of(run))}</h1>\n");
        text.Append(
            $"<p class=\"lead\">Target: {Html.Escape(run.Target.Name())} below "
                + $"{Html.Escape(Show.ShortUs(run.Target.LimitUs))}. {Html.Escape(Headline.Sentence(Headline.Knee(run)))}"
                + $"{(run.Knee is { } knee ? " " + Html.Escape(Sentence(knee.Why)) : "")}</p>\n");
        if (RateAnswer.DecisiveMiss(run.Proved, run.Rates) is { Verdict: { } miss } nearest)
        {
            text.Append($"<p class=\"verdict{(run.Proved is null ? " missed" : "")}\">")
                .Append(Html.Escape($"At {Show.Count(nearest.RatePerSecond)} calls per second ({nearest.Miss}): {miss.Why}."))
                .Append("</p>\n");
        }

        if (run.KneeRung() is { } rung)
        {
            // If the number of tiles is odd, the first tile is twice as wide, so that every row is full.
            text.Append($"<dl class=\"tiles {(run.Proved is null ? "six" : "eight")}\">");
            if (run.Proved is { } proved)
            {
                Tile(text, "calls per second, proved", Show.Count(proved.RatePerSecond), $"with a limit of {Show.Count(proved.Cap)}");
                Tile(text, $"its {run.Target.Name()}", Show.Us(proved.TargetUs), RateAnswer.IntervalOf(proved.LowUs, proved.HighUs));
            }

            Tile(text, "in flight at the knee", Show.Count(rung.Callers), rung.Verdict is { } verdict ? $"limited by {RunTables.Name(verdict.Limit)}" : "");
            Tile(
                text,
                "calls per second at the knee",
                Show.Count(rung.RequestsPerSecond),
                rung.MedianOfKnown(one => one.RequestsPerSecond / (one.ClientCpu + one.ServerCpu)) is { } perCpu ? $"{Show.Count(perCpu)} per CPU-second" : "");
            Tile(text, "p50", Show.Us(rung.P50Us), Server(rung, one => one.Server?.P50Us));
            Tile(text, "p99", Show.Us(rung.P99Us), Server(rung, one => one.Server?.P99Us));
            Tile(text, "p99.9", Show.Us(rung.P999Us), Server(rung, one => one.Server?.P999Us));
            text.Append("</dl>\n");
        }

        return text.ToString();
    }

    private static string Notes(TuneRun run)
    {
        string[] items = run
            .Assertions.Select(assertion =>
                $"<li><span class=\"{(assertion.Held ? "held" : "failed")}\">{(assertion.Held ? "held" : "failed")}</span>: "
                    + $"{Html.Escape(assertion.Demand)}, measured {Html.Escape(assertion.Measured)}</li>")
            .Concat(run.Notes.Select(note => $"<li>{Html.Escape(note)}</li>"))
            .ToArray();
        return items.Length == 0 ? "" : $"<ul class=\"notes\" aria-label=\"Notes\">{string.Concat(items)}</ul>\n";
    }

    private static string Code(TuneRun run) => ConfigurationCode.Of(run) is { } code
        ? PagePiece.Code("configuration", ConfigurationCode.NameOf(run.Client.Language), code)
        : "";

    private static string Environment(TuneRun run) =>
        "<dl class=\"facts\">"
        + string.Concat(RunTables.Environment(run).Select(fact => $"<dt>{fact.Name}</dt><dd>{Html.Escape(fact.Value)}</dd>"))
        + $"<dt>Command</dt><dd><code>{Html.Escape(run.Command)}</code></dd></dl>\n";

    private static string Figures(params (IGraph? Graph, string Caption)[] figures) =>
        PagePiece.Figures([.. from figure in figures where figure.Graph is not null select (figure.Graph, figure.Caption)]);

    private static void Tile(StringBuilder text, string name, string value, string more) =>
        text.Append($"<div><dt>{Html.Escape(name)}</dt><dd>{Html.Escape(value)}<small>{Html.Escape(more)}</small></dd></div>");

    private static string Server(SearchRung rung, Func<Measurement, double?> figure) =>
        rung.MedianOfKnown(figure) is { } us ? $"server: {Show.Us(us)}" : "";

    private static string Sentence(string text) =>
        text.Length == 0 ? "" : char.ToUpperInvariant(text[0]) + text[1..] + (text[^1] is '.' or '!' or '?' ? "" : ".");
}
