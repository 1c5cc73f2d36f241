using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report.Readme;

/// <summary>
/// A table of all committed runs with the proved rate, the knee of the closed loop, the peer and the file. Runs of an older version have only the knee.
/// </summary>
internal static class ResultsList
{
    private static readonly string[] s_headers =
    [
        "client",
        "target",
        "proved calls/s",
        "limit",
        "felt p50",
        "felt p99.9",
        "lowest miss",
        "closed loop's knee",
        "× peer's calls/s",
        "peer",
        "date",
        "file",
    ];

    /// <summary>Returns the table as Markdown, with a row for each run.</summary>
    public static string Of(IReadOnlyList<CommittedRun> all) =>
        "All runs in this folder, written by `./larder tune readme`. *Older run*: measured by version 1 of the tuner, which did not prove a rate.\n\n"
        + MarkdownTable.Table((s_headers, [.. CommittedRun.InOrder(all).Select(Row)]));

    /// <summary>Returns the proved rate, or the reason why there is none, as text.</summary>
    public static string Answer(TuneRun run) =>
        run.Version < TuneRun.CurrentVersion ? "older run"
        : run.Proved is { } proved ? Show.Count(proved.RatePerSecond)
        : RateAnswer.NearestMiss(run.Rates)?.Verdict is { } verdict ? $"no answer: {RunTables.Name(verdict.Limit)}"
        : "no answer";

    /// <summary>
    /// Returns the ratio of the client's throughput to the peer's throughput. Each is measured at its own knee in the closed loop. Returns null if the client
    /// or the peer has no knee within the target.
    /// </summary>
    public static double? PeerRatio(TuneRun run) => run.KneeRung()?.RequestsPerSecond / PeersKnee(run)?.RequestsPerSecond;

    private static SearchRung? PeersKnee(TuneRun run) =>
        run.Peers.Count > 0 && KneeChoice.Of(run.Peers[0].Rungs, run.Target) is { } choice ? run.Peers[0].Rungs[choice.SearchIndex] : null;

    private static IReadOnlyList<string> Row(CommittedRun one)
    {
        TuneRun run = one.Run;
        SearchRung? knee = run.KneeRung();
        RateStep? proof = RateAnswer.ProofOf(run.Proved, run.Rates);
        return
        [
            one.Client,
            TargetText.Of(run.Target),
            Answer(run),
            Show.Count(run.Proved?.Cap),
            Show.Us(proof?.Measured.Latency.P50Us),
            Show.Us(run.Proved?.TargetUs),
            Show.Count(run.Proved is { } proved ? RateAnswer.LowestMiss(proved, run.Rates) : null),
            knee is null ? "out of reach" : $"{Show.Count(knee.RequestsPerSecond)} at {Show.Count(knee.Callers)}",
            Show.Ratio(PeerRatio(run)),
            run.Peers.Count == 0 ? Show.Unknown : run.Peers[0].Name + (PeersKnee(run) is null ? " (misses the target)" : ""),
            $"{run.Machine.Date:yyyy-MM-dd}",
            $"[`{one.File}`]({one.File})",
        ];
    }
}
