using Larder.Tuner.Report.Drawing;
using Larder.Tuner.Report.Tables;
using Larder.Tuner.Tune;
using Larder.Tuner.Tune.Rates;

namespace Larder.Tuner.Report.Readme;

/// <summary>
/// The README's results table: what each committed run proved, and how its knee stands to its peer's. Pure; <see cref="ReadmeCommand"/> puts it in place.
/// </summary>
internal static class ResultsTable
{
    /// <summary>The line before the table.</summary>
    public const string Begin = "<!-- larder tune readme: begin -->";

    /// <summary>The line after it.</summary>
    public const string End = "<!-- larder tune readme: end -->";

    private static readonly string[] s_languages = ["dotnet", "python", "node"];

    /// <summary>The table as Markdown, and a line that says where it comes from. </summary>
    public static string Of(IReadOnlyList<TuneRun> all)
    {
        IReadOnlyList<TuneRun> runs = InOrder(all);
        IOrderedEnumerable<string> machines = runs.Select(run => $"{run.Machine.Cpu}, {run.Machine.Processors} processors").Distinct().Order();
        DateTime[] dates = runs.Select(run => run.Machine.Date.UtcDateTime.Date).Order().ToArray();
        string when = dates[0] == dates[^1] ? $"{dates[0]:yyyy-MM-dd}" : $"{dates[0]:yyyy-MM-dd} to {dates[^1]:yyyy-MM-dd}";
        return MarkdownTable.Table(
                (
                    [
                        "client",
                        "target",
                        "proved calls/s",
                        "with a cap of",
                        "felt p50",
                        "felt p99.9",
                        "breaks at",
                        "closed loop's knee",
                        "× peer's calls/s",
                        "peer",
                    ],
                    [.. runs.Select(Row)]))
            + $"\nMade by `./larder tune readme` from the runs in `tuner/results/`, measured {when} on {string.Join("; ", machines)}, client and server "
            + $"together. *Proved*: the highest rate of calls due at random intervals that kept the target in a run of its own, latency from when each was "
            + $"due, and the smallest cap that carries it. *No answer*: no rate did, and what limits. ~: other programs disturbed it. *Peer*: the closed "
            + $"loop's knee beside the other library's own, in the same run.\n";
    }

    /// <summary>The runs that count, of those that asked the same the newest, as the table has them.</summary>
    public static IReadOnlyList<TuneRun> InOrder(IReadOnlyList<TuneRun> all) =>
    [
        .. all.GroupBy(run => (run.Client.Language, run.Client.Transport, run.Client.Network, run.Workload.Name, run.Target))
            .Select(group => group.MaxBy(run => run.Machine.Date)!)
            .OrderBy(run => Array.IndexOf(s_languages, run.Client.Language))
            .ThenBy(run => run.Client.Transport, StringComparer.Ordinal)
            .ThenBy(run => run.Client.Network != "loopback")
            .ThenBy(run => run.Client.Network, StringComparer.Ordinal)
            .ThenBy(run => run.Target.LimitUs),
    ];

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

    private static string NoAnswer(TuneRun run) =>
        RateAnswer.NearestMiss(run.Rates)?.Verdict is { } verdict ? $"no answer: {RunTables.Name(verdict.Limit)}" : "no answer";

    private static IReadOnlyList<string> Row(TuneRun run)
    {
        SearchRung? knee = run.KneeRung();
        PeerSeries? peer = run.Peers.Count > 0 ? run.Peers[0] : null;
        SearchRung? peersKnee = peer is not null && KneeChoice.Of(peer.Rungs, run.Target) is { } choice ? peer.Rungs[choice.SearchIndex] : null;
        RateStep? proof = RateAnswer.ProofOf(run.Proved, run.Rates);
        string unusual =
            (run.Workload.Name == "reference" ? "" : $", {run.Workload.Name} workload") + (run.Client.Network == "loopback" ? "" : $", {run.Client.Network}");
        return
        [
            $"{ConfigurationCode.PlatformOf(run.Client.Language)}, {run.Client.Transport}{unusual}",
            $"{run.Target.Name()} < {Show.ShortUs(run.Target.LimitUs)}",
            run.Proved is null ? NoAnswer(run) : Show.Count(run.Proved.RatePerSecond) + (proof?.Measured.Noisy == true ? " ~" : ""),
            Show.Count(run.Proved?.Cap),
            Show.Us(run.Proved is null ? null : proof?.Measured.Latency.P50Us),
            Show.Us(run.Proved?.TargetUs),
            Show.Count(run.Proved?.BreaksAt),
            knee is null ? "out of reach" : $"{Show.Count(knee.RequestsPerSecond)} at {Show.Count(knee.Callers)}{(knee.Noisy ? " ~" : "")}",
            Show.Ratio(knee?.RequestsPerSecond / peersKnee?.RequestsPerSecond),
            peer is null ? Show.Unknown : peer.Name + (peersKnee is null ? " (misses the target)" : ""),
        ];
    }
}
