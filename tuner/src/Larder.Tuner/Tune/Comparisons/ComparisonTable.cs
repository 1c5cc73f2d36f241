using System.Globalization;
using System.Text;
using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Comparisons;

/// <summary>
/// Formats the full comparison as Markdown. For each target, it shows the knee of each client next to the knee of its peer. Both were found by the same search
/// in the same run.
/// </summary>
internal static class ComparisonTable
{
    private static readonly CultureInfo s_culture = CultureInfo.InvariantCulture;

    /// <summary>Returns the text of the page.</summary>
    public static string Of(IReadOnlyList<TuneRun> runs)
    {
        var text = new StringBuilder("# The full comparison\n\n");
        text.Append(
            "Each client over each transport, compared with a peer, at two latency targets. Written by `larder tune --all`, one slice at a time "
                + "(`--only python/pipeline`). The runs are stored next to this page; `./larder tune report FILE` writes the report of a run.\n\n");
        text.Append(
            "- The columns from *in flight* to *limited by* describe the client at its knee: the smallest concurrency with at least 98 % of the "
                + "best throughput within the target. The next four columns describe the peer at its knee; *× req/s* is the client's rate divided by "
                + "the peer's.\n");
        text.Append(
            "- Client and peer were measured alternately in one run, on one machine, which they shared with the server. The figures are medians "
                + "of three passes.\n");
        text.Append(
            "- The last three columns are the result: the highest rate of calls that met the target. These calls are due at random intervals, and latency is "
                + "measured from the time at which a call is due.\n");
        text.Append("- Compare only figures in the same line, because the lines were measured at different times.\n\n");
        text.Append(
            "| client | transport | target | in flight | req/s | p50 ms | p99.9 ms | limited by | peer | peer in flight | peer req/s | peer p99.9 ms | × req/s "
                + "| proved req/s | limit | proved p99.9 ms |\n");
        text.Append("|---|---|---|---:|---:|---:|---:|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
        foreach (TuneRun run in runs)
        {
            text.Append(LineOf(run));
        }

        text.Append("\n## Machines, commits and commands\n\n");
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
