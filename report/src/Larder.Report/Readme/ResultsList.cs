using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report.Readme;

/// <summary>Every committed run in a table: what it proved, its closed loop's knee, its peer, its file. Of an older version only the knee.</summary>
internal static class ResultsList
{
    private static readonly string[] s_headers =
    [
        "client",
        "target",
        "proved calls/s",
        "its cap",
        "felt p50",
        "felt p99.9",
        "lowest miss",
        "closed loop's knee",
        "× peer's calls/s",
        "peer",
        "date",
        "file",
    ];

    /// <summary>The table as Markdown; a row for each run.</summary>
    public static string Of(IReadOnlyList<CommittedRun> all) =>
        "Every run in this folder's folders, written by `./larder tune readme`. *Older run*: by version 1 of the tuner, which proved no rate.\n\n"
        + MarkdownTable.Table((s_headers, [.. CommittedRun.InOrder(all).Select(Row)]));

    /// <summary>The proved rate, or that there is none and why.</summary>
    public static string Answer(TuneRun run) =>
        run.Version < TuneRun.CurrentVersion ? "older run"
        : run.Proved is { } proved ? Show.Count(proved.RatePerSecond)
        : RateAnswer.NearestMiss(run.Rates)?.Verdict is { } verdict ? $"no answer: {RunTables.Name(verdict.Limit)}"
        : "no answer";

    /// <summary>Our closed loop's throughput at its knee over the peer's at the peer's own; null where one has none within the target.</summary>
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
