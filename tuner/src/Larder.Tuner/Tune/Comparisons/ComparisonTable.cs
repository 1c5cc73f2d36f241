using System.Globalization;
using System.Text;
using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Comparisons;

/// <summary>
/// Formats the full comparison as Markdown: each client's knee at each target next to that of its peer, found by the same search in the same run.
/// </summary>
internal static class ComparisonTable
{
    private static readonly CultureInfo s_culture = CultureInfo.InvariantCulture;

    /// <summary>Returns the text of the page.</summary>
    public static string Of(IReadOnlyList<TuneRun> runs)
    {
        var text = new StringBuilder("# The full comparison\n\n");
        text.Append(
            "For each client and transport: the smallest concurrency with at least 98 % of the best throughput within the target (the knee), and the same "
                + "for the peer, which was measured alternately in the same run, on the same machine, with client and server sharing it. Medians of three "
                + "passes. The last columns are the result: the highest rate of calls due at random intervals that met the target, with latency from when "
                + "the calls were due. "
                + "Compare within a line; absolute figures of different lines were measured minutes apart.\n\n");
        text.Append(
            "Written by `larder tune --all`, one slice at a time (`--only python/pipeline`); the runs are in the same folder, and their reports are "
                + "created with "
                + "`./larder tune report FILE`.\n\n");
        text.Append(
            "| client | transport | target | in flight | req/s | p50 ms | p99.9 ms | limited by | peer | peer in flight | peer req/s | peer p99.9 ms | × req/s "
                + "| proved req/s | limit | proved p99.9 ms |\n");
        text.Append("|---|---|---|---:|---:|---:|---:|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
        foreach (TuneRun run in runs)
        {
            text.Append(LineOf(run));
        }

        text.Append("\n## Where, when and how\n\n");
        foreach (IGrouping<(string Language, string Transport), TuneRun> group in runs.GroupBy(run => (run.Client.Language, run.Client.Transport)))
        {
            TuneRun run = group.First();
            text.Append(
                s_culture,
                $"### {run.Client.Language} {run.Client.Transport}\n\n{string.Join('\n', run.Machine.Lines(run.Command))}\n- client: {run.Client.Version} "
                    + $"on {run.Client.Runtime}; {run.Client.Network}; {run.Workload.Name} workload; took {run.TookSeconds:N0} s\n");
            foreach (string? note in group.SelectMany(one => one.Notes).Distinct())
            {
                text.Append(s_culture, $"- {note}\n");
            }

            text.Append('\n');
        }

        return text.ToString().TrimEnd() + "\n";
    }

    private static string LineOf(TuneRun run)
    {
        SearchRung? knee = run.KneeRung();
        PeerSeries? peer = run.Peers.Count > 0 ? run.Peers[0] : null;
        SearchRung? peersKnee = peer is not null && KneeChoice.Of(peer.Rungs, run.Target) is { } choice ? peer.Rungs[choice.SearchIndex] : null;
        string[] cells =
        [
            run.Client.Language,
            run.Client.Transport,
            TargetText.Of(run.Target),
            Whole(knee?.Callers) + (knee?.Noisy == true ? " ~" : ""),
            Whole(knee?.RequestsPerSecond),
            Ms(knee?.P50Us),
            Ms(knee?.P999Us),
            knee?.Verdict?.Limit.ToString() ?? "unreachable",
            peer?.Name ?? "–",
            Whole(peersKnee?.Callers) + (peersKnee?.Noisy == true ? " ~" : ""),
            Whole(peersKnee?.RequestsPerSecond),
            Ms(peersKnee?.P999Us),
            knee is null || peersKnee is null ? "–" : (knee.RequestsPerSecond / peersKnee.RequestsPerSecond).ToString("F2", s_culture),
            run.Version < TuneRun.CurrentVersion ? "–" : run.Proved is null ? "no answer" : Whole(run.Proved.RatePerSecond),
            Whole(run.Proved?.Cap),
            Ms(run.Proved?.TargetUs),
        ];
        return $"| {string.Join(" | ", cells)} |\n";
    }

    private static string Whole(double? number) => number?.ToString("N0", s_culture) ?? "–";

    private static string Ms(double? us) => us is null ? "–" : (us.Value / 1000).ToString(us < 10_000 ? "F3" : "F1", s_culture);
}
