using System.Text;
using System.Text.RegularExpressions;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Tables;

/// <summary>A run as a Markdown page: the result, the tables of both searches, and the environment.</summary>
internal static partial class MarkdownTable
{
    private static readonly string[] s_texts =
        ["target", "peer", "bottleneck", "why", "client", "scenario", "where", "published", "date", "file"];

    public static string Of(TuneRun run)
    {
        var text = new StringBuilder();
        text.Append("# ")
            .AppendLine(
                Cell($"{run.Client.Language} {run.Client.Transport}, {run.Workload.Name} workload: {run.Target.Name()} < {Show.ShortUs(run.Target.LimitUs)}"))
            .AppendLine();
        text.AppendLine(Cell(Headline.Of(run))).AppendLine();
        text.AppendLine(Cell(Headline.Sentence(Headline.Knee(run)))).AppendLine();
        if (NoiseBanner.Of(run) is { } noise)
        {
            text.AppendLine(Cell($"**{noise}**")).AppendLine();
        }

        if (ConfigurationCode.Of(run) is { } code)
        {
            text.Append("## Configuration to paste\n\n```")
                .AppendLine(FenceOf(run.Client.Language))
                .AppendLine(code.TrimEnd())
                .AppendLine("```")
                .AppendLine();
        }

        text.AppendJoin('\n', run.Machine.Lines(run.Command)).AppendLine();
        text.AppendLine(
                Cell(
                    $"- client: {run.Client.Language} {run.Client.Version}, {run.Client.Runtime}, transport {run.Client.Transport}, configuration "
                        + $"{run.Client.Configuration}, server {run.Client.Server}, {run.Client.Network}"))
            .AppendLine();
        Section(text, "The rate search (open loop)", RunTables.Rates(run));
        Section(text, "Bottlenecks on a schedule", RunTables.RateVerdicts(run));
        Section(text, "Search (closed loop)", RunTables.Search(run));
        Section(text, "Bottlenecks", RunTables.SearchVerdicts(run));
        Section(text, "Channels", RunTables.Channels(run));
        Section(text, "Adaptive limit", RunTables.Adaptive(run));
        foreach (string? note in run.Assertions.Select(AssertionText).Concat(run.Notes))
        {
            text.AppendLine(Cell($"- {note}"));
        }

        return text.ToString();
    }

    /// <summary>Returns a table. Returns an empty text if the table has no rows.</summary>
    public static string Table((IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) table) =>
        table.Rows.Count == 0
            ? ""
            : $"| {string.Join(" | ", table.Headers.Select(Cell))} |\n"
                + $"|{string.Concat(table.Headers.Select(header => IsText(header) ? "---|" : "---:|"))}\n"
                + string.Concat(table.Rows.Select(row => $"| {string.Join(" | ", row.Select(Cell))} |\n"));

    /// <summary>Returns the result of an assertion as text.</summary>
    public static string AssertionText(Assertion assertion) => $"{(assertion.Held ? "held" : "FAILED")}: {assertion.Demand}, measured {assertion.Measured}";

    /// <summary>
    /// Escapes text for a table cell, so that it is not interpreted as markup. A &lt; before a space or a digit never begins markup, so it is not escaped.
    /// </summary>
    public static string Cell(string text) => BeginsMarkup().Replace(text.ReplaceLineEndings(" ").Replace("|", "\\|", StringComparison.Ordinal), "&lt;");

    private static bool IsText(string header) => s_texts.Contains(header);

    private static string FenceOf(string language) => language switch
    {
        "dotnet" => "csharp",
        "node" => "ts",
        _ => language,
    };

    [GeneratedRegex(@"<(?![ \d])")]
    private static partial Regex BeginsMarkup();

    private static void Section(StringBuilder text, string title, (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) table)
    {
        if (table.Rows.Count > 0)
        {
            text.Append("## ").AppendLine(title).AppendLine().AppendLine(Table(table));
        }
    }
}
