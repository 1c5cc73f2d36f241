using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Report.Tables;

namespace Larder.Report.Readme;

/// <summary>
/// The README's results table: a row for each client and transport on loopback with both targets, and at most two rows over a network. The other runs are in
/// <see cref="ResultsList"/>.
/// </summary>
internal static class ResultsTable
{
    /// <summary>The maximum number of rows: three clients with two transports each, and two networks. A longer table would not be read.</summary>
    public const int MostRows = 8;

    /// <summary>The maximum number of rows over a network.</summary>
    public const int MostNetworks = 2;

    /// <summary>The targets of the table, which stand for low latency and for throughput in the published tuning runs.</summary>
    private static readonly TuneTarget[] s_targets = [new(0.999, 5_000), new(0.999, 20_000)];

    /// <summary>Returns the table as Markdown, followed by its source; empty if there are no runs for it.</summary>
    public static string Of(IReadOnlyList<CommittedRun> all)
    {
        CommittedRun[][] rows = [.. RowsOf(all)];
        if (rows.Length == 0)
        {
            return "";
        }

        TuneRun[] runs = [.. rows.SelectMany(row => row).Select(one => one.Run)];
        IOrderedEnumerable<string> machines = runs.Select(run => $"{run.Machine.Cpu}, {run.Machine.Processors} processors").Distinct().Order();
        DateTime[] dates = runs.Select(run => run.Machine.Date.UtcDateTime.Date).Order().ToArray();
        string when = dates[0] == dates[^1] ? $"{dates[0]:yyyy-MM-dd}" : $"{dates[0]:yyyy-MM-dd} to {dates[^1]:yyyy-MM-dd}";
        return MarkdownTable.Table(
                (
                    ["client", .. s_targets.SelectMany(target => new[] { $"calls/s with {TargetText.Of(target)}", "its cap" }), "× peer's calls/s", "peer"],
                    [.. rows.Select(Row)]))
            + $"\nMade by `./larder tune readme` from runs in `tuner/results/`, where the others are, measured {when} on {string.Join("; ", machines)}, client "
            + "and server together. *Calls/s*: the highest rate of calls due at random intervals that kept the target in two runs in a row, latency from when "
            + "each was due; *its cap*: the smallest number in flight that carries it. *No answer*: no rate was so confirmed, and what limits. *Peer*: the "
            + "closed loop's best throughput within 20 ms beside the other library's, in the same run."
            + Disturbed(rows)
            + "\n";
    }

    /// <summary>Returns the runs of each row: one or two, by target.</summary>
    private static IEnumerable<CommittedRun[]> RowsOf(IReadOnlyList<CommittedRun> all)
    {
        CommittedRun[][] groups =
        [
            .. CommittedRun.Newest([.. all.Where(one => one.Run.Version == TuneRun.CurrentVersion && s_targets.Contains(one.Run.Target))])
                .Where(one => one.Run.Workload.Name == "reference")
                .GroupBy(one => one.Client)
                .Select(group => group.ToArray()),
        ];
        return groups.Where(group => group[0].IsLoopback).Take(MostRows - MostNetworks)
            .Concat(groups.Where(group => !group[0].IsLoopback).DistinctBy(group => group[0].Run.Client.Network).Take(MostNetworks));
    }

    private static IReadOnlyList<string> Row(CommittedRun[] row)
    {
        TuneRun run = row[^1].Run;
        PeerSeries? peer = run.Peers.Count > 0 ? run.Peers[0] : null;
        return
        [
            row[0].Client,
            .. s_targets.SelectMany(target => Cells(row.FirstOrDefault(one => one.Run.Target == target)?.Run)),
            Show.Ratio(ResultsList.PeerRatio(run)),
            peer?.Name ?? Show.Unknown,
        ];
    }

    private static string[] Cells(TuneRun? run) => run is null
        ? [Show.Unknown, Show.Unknown]
        : [ResultsList.Answer(run), Show.Count(run.Proved?.Cap)];

    /// <summary>Returns one sentence about all disturbed runs; empty if there are none.</summary>
    private static string Disturbed(CommittedRun[][] rows)
    {
        string[] names =
        [
            .. rows.SelectMany(row => row)
                .Where(one => RateAnswer.ProofOf(one.Run.Proved, one.Run.Rates)?.Measured.Noisy == true)
                .Select(one => $"{one.Client} below {Show.ShortUs(one.Run.Target.LimitUs)}"),
        ];
        return names.Length == 0 ? "" : $" Other programs disturbed: {string.Join("; ", names)}.";
    }
}
