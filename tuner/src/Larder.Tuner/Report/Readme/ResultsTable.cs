using Larder.Tuner.Report.Drawing;
using Larder.Tuner.Report.Tables;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Report.Readme;

/// <summary>
/// The README's results table: what each committed run says to run with, and how that stands to its peer. Pure; <see cref="ReadmeCommand"/> puts it in place.
/// </summary>
internal static class ResultsTable
{
    /// <summary>The line before the table.</summary>
    public const string Begin = "<!-- larder tune readme: begin -->";

    /// <summary>The line after it.</summary>
    public const string End = "<!-- larder tune readme: end -->";

    private static readonly string[] s_languages = ["dotnet", "python", "node"];

    /// <summary>The table as Markdown, and a line that says where it comes from. Of runs that asked the same, the newest counts.</summary>
    public static string Of(IReadOnlyList<TuneRun> all)
    {
        if (all.Count == 0)
        {
            return "No run is committed yet.\n";
        }

        TuneRun[] runs = all.GroupBy(run => (run.Client.Language, run.Client.Transport, run.Client.Network, run.Workload.Name, run.Target))
            .Select(group => group.MaxBy(run => run.Machine.Date)!)
            .ToArray();
        IOrderedEnumerable<TuneRun> ordered = runs.OrderBy(run => Array.IndexOf(s_languages, run.Client.Language))
            .ThenBy(run => run.Client.Transport, StringComparer.Ordinal)
            .ThenBy(run => run.Client.Network != "loopback")
            .ThenBy(run => run.Client.Network, StringComparer.Ordinal)
            .ThenBy(run => run.Target.LimitUs);
        IOrderedEnumerable<string> machines = runs.Select(run => $"{run.Machine.Cpu}, {run.Machine.Processors} processors").Distinct().Order();
        DateTime[] dates = runs.Select(run => run.Machine.Date.UtcDateTime.Date).Order().ToArray();
        string when = dates[0] == dates[^1] ? $"{dates[0]:yyyy-MM-dd}" : $"{dates[0]:yyyy-MM-dd} to {dates[^1]:yyyy-MM-dd}";
        return MarkdownTable.Table(
                (
                    [
                        "client",
                        "target",
                        "run in flight",
                        "calls/s",
                        "p50",
                        "p99.9",
                        "felt p99.9 at 70 %",
                        "target kept on a schedule up to",
                        "× peer's calls/s",
                        "peer",
                    ],
                    [.. ordered.Select(Row)]))
            + $"\nMade by `./larder tune readme` from the runs in `tuner/results/`, measured {when} on {string.Join("; ", machines)}, client and server "
            + $"together. *Felt*: from when a call was due, with arrivals on a schedule at 70 % of calls/s. *Kept up to*: the share of calls/s up to which "
            + $"the target was so kept, of 50, 70, 85 and 95 %; –: not even at the lowest. ~: other programs disturbed it. *Peer*: the other library at its "
            + $"own knee, in the same run.\n";
    }

    /// <summary>A text with the table in its place.</summary>
    /// <exception cref="FormatException">The markers are not there, each once and in order.</exception>
    public static string Put(string readme, string table)
    {
        (int begin, int end) = Places(readme);
        return readme[..begin] + "\n" + table + readme[end..];
    }

    /// <summary>The table that a text holds now.</summary>
    /// <exception cref="FormatException">The markers are not there, each once and in order.</exception>
    public static string In(string readme)
    {
        (int begin, int end) = Places(readme);
        return readme[begin..end].TrimStart('\n');
    }

    private static (int Begin, int End) Places(string readme)
    {
        (int begin, int end) = (readme.IndexOf(Begin, StringComparison.Ordinal), readme.IndexOf(End, StringComparison.Ordinal));
        return
            begin >= 0
            && end > begin
            && readme.LastIndexOf(Begin, StringComparison.Ordinal) == begin
            && readme.LastIndexOf(End, StringComparison.Ordinal) == end
            ? (begin + Begin.Length, end)
            : throw new FormatException($"the text needs one line \"{Begin}\" and after it one line \"{End}\"");
    }

    private static IReadOnlyList<string> Row(TuneRun run)
    {
        SearchRung? knee = run.KneeRung();
        PeerSeries? peer = run.Peers.Count > 0 ? run.Peers[0] : null;
        SearchRung? peersKnee = peer is not null && KneeChoice.Of(peer.Rungs, run.Target) is { } choice ? peer.Rungs[choice.SearchIndex] : null;
        string unusual =
            (run.Workload.Name == "reference" ? "" : $", {run.Workload.Name} workload") + (run.Client.Network == "loopback" ? "" : $", {run.Client.Network}");
        return
        [
            $"{ConfigurationCode.PlatformOf(run.Client.Language)}, {run.Client.Transport}{unusual}",
            $"{run.Target.Name()} < {Show.ShortUs(run.Target.LimitUs)}",
            knee is null ? "out of reach" : Show.Count(knee.Callers) + (knee.Noisy ? " ~" : ""),
            Show.Count(knee?.RequestsPerSecond),
            Show.Us(knee?.P50Us),
            Show.Us(knee?.P999Us),
            Show.Us(run.Proof.FirstOrDefault(step => step.Percent == ProofVerdict.UsualPercent)?.Measured.Latency.P999Us),
            ProofVerdict.KeptUpTo(run) is { } kept ? Show.Percent(kept.Percent / 100) + (kept.Measured.Noisy ? " ~" : "") : Show.Unknown,
            Show.Ratio(knee?.RequestsPerSecond / peersKnee?.RequestsPerSecond),
            peer is null ? Show.Unknown : peer.Name + (peersKnee is null ? " (misses the target)" : ""),
        ];
    }
}
