using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Lab.Cost;

/// <summary>Formats the measurement overhead as Markdown.</summary>
internal static class CostReport
{
    /// <summary>Returns the report.</summary>
    /// <param name="machine">The environment of the measurement.</param>
    /// <param name="command">The command as typed.</param>
    /// <param name="before">The commit of the other checkout; null if there is none.</param>
    /// <param name="rows">The measurements.</param>
    /// <param name="failures">The failures, one sentence each.</param>
    public static string Of(Fingerprint machine, string command, string? before, IReadOnlyList<CostRow> rows, IReadOnlyList<string> failures)
    {
        bool compares = before is not null;
        string[] lines =
        [
            "# Cost of measuring, and tail latency", "", .. machine.Lines(command),
            .. compares
                ? [$"- before: the checkout {before}, with its own server and agents; both checkouts are measured alternately"]
                : Array.Empty<string>(),
            "",
            "The best rate is the throughput of a closed loop with this checkout. Calls are scheduled at random intervals, and p99.9 is measured from the "
                + "scheduled time. Each p99.9 is the median of all passes, followed by the lowest and the highest. CPU figures are the average number of "
                + "processors in use. The cost of the meter is relative to client and server. The cost of the generator is measured with calls that end "
                + "immediately, and is relative to client and server without the generator. * marks a p99.9 of fewer than 10,000 calls. † marks rows in which "
                + "calls failed or could not start because all callers were busy; these calls are not included.",
            "", MarkdownTable.Table((CostRow.Headers(compares), [.. rows.Select(row => row.Cells(compares))])).TrimEnd(), "",
            .. failures.Select(failure => $"- not measured: {failure}"),
        ];
        return string.Join('\n', lines).TrimEnd() + "\n";
    }
}
