using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Lab.Cost;

/// <summary>Formats the measurement overhead as Markdown.</summary>
internal static class CostReport
{
    /// <summary>Returns the text.</summary>
    /// <param name="machine">The environment of the measurement.</param>
    /// <param name="command">The command as typed.</param>
    /// <param name="before">The commit of the other checkout; null if there is none.</param>
    /// <param name="rows">The measurements.</param>
    /// <param name="failures">What failed or is missing.</param>
    public static string Of(Fingerprint machine, string command, string? before, IReadOnlyList<CostRow> rows, IReadOnlyList<string> failures)
    {
        bool compares = before is not null;
        string[] lines =
        [
            "# What measuring costs, and the tail", "", .. machine.Lines(command),
            .. compares ? [$"- before: {before}, its own server and agents, in turn with this tree's"] : Array.Empty<string>(), "",
            "Shares are of the best rate of a closed loop of this tree. Calls are due at random intervals, p99.9 is from when each was due: median of the "
                + "passes, lowest and highest. Costs are in processors: the meter beside client and server; the generator alone, at calls that end at once, "
                + "beside client and server without it. *: fewer than 10,000 calls. †: calls failed or found no caller, and are not in it.",
            "", MarkdownTable.Table((CostRow.Headers(compares), [.. rows.Select(row => row.Cells(compares))])).TrimEnd(), "",
            .. failures.Select(failure => $"- not measured: {failure}"),
        ];
        return string.Join('\n', lines).TrimEnd() + "\n";
    }
}
