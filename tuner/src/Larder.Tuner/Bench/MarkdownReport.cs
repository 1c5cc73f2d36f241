using System.Text;
using Larder.Report.Runs;

namespace Larder.Tuner.Bench;

/// <summary>Formats a sweep as a Markdown file with machine, commit, date, command, table and notes.</summary>
internal static class MarkdownReport
{
    /// <summary>Returns the text of the file.</summary>
    public static string Of(
        string title,
        string command,
        BenchOptions options,
        Fingerprint machine,
        IReadOnlyList<BenchRow> rows,
        IReadOnlySet<string> peers,
        bool isComplete = true)
    {
        var text = new StringBuilder();
        text.Append("# ").AppendLine(title).AppendLine();
        text.AppendJoin('\n', machine.Lines(command)).AppendLine();
        text.AppendLine(
            $"- workload `{options.Workload}`, configuration `{options.Configuration}`; medians of {options.Rounds} alternating rounds of {options.Seconds} "
                + $"s after {options.WarmupSeconds} s of warm-up");
        text.AppendLine(
            "- callers N: N callers with a concurrency limit of N unless stated otherwise; client and server on the same machine; latency is measured at the "
                + "caller and includes failed calls");
        text.AppendLine();
        IReadOnlyList<BenchColumn> columns = BenchColumn.For(rows, peers);
        text.Append("| ").AppendJoin(" | ", columns.Select(column => column.Header)).AppendLine(" |");
        text.Append('|').Append(string.Concat(columns.Select(column => column.Header is "client" or "transport" ? "---|" : "---:|"))).AppendLine();
        foreach (BenchRow row in rows)
        {
            text.Append("| ").AppendJoin(" | ", columns.Select(column => column.Cell(row))).AppendLine(" |");
        }

        text.AppendLine();
        if (!isComplete)
        {
            text.Append("- ").AppendLine(BenchNotes.Incomplete);
        }

        foreach (string note in BenchNotes.Of(rows))
        {
            text.Append("- ").AppendLine(note);
        }

        return text.ToString();
    }
}
