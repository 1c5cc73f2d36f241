using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report.Tables;

/// <summary>The tables of a run, for the HTML page and for Markdown.</summary>
internal static class RunTables
{
    /// <summary>Returns the table of the search for the knee, with a row for each rung: first the rungs of the client, then the rungs of the peers.</summary>
    public static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Search(TuneRun run)
    {
        bool many = run.Peers.Count > 0;
        bool channels = run.Search.Select(rung => rung.Channels).Distinct().Count() > 1;
        string[] headers =
        [
            .. Where(many, "client"),
            "callers",
            .. Where(channels, "channels"),
            "calls/s",
            "p50",
            "p99",
            "p99.9",
            "max",
            "server p50",
            "server p99.9",
            "CPU client",
            "CPU server",
            "lag p99",
            "connections",
            "errors",
            "bottleneck",
        ];
        IReadOnlyList<string> Row(string client, SearchRung rung, bool knee) =>
        [
            .. Where(many, client),
            Show.Count(rung.Callers) + (knee ? " ← knee" : ""),
            .. Where(channels, rung.Channels == 0 ? "default" : Show.Count(rung.Channels)),
            Show.Count(rung.RequestsPerSecond) + (rung.Noisy ? " ~" : ""),
            Show.Us(rung.P50Us),
            Show.Us(rung.P99Us),
            Show.Us(rung.P999Us) + (rung.Repetitions.All(one => one.Latency.EnoughForP999) ? "" : " ?"),
            Show.Us(rung.Repetitions.Max(one => one.Latency.MaxUs)),
            Show.Us(rung.MedianOfKnown(one => one.Server?.P50Us)),
            Show.Us(rung.MedianOfKnown(one => one.Server?.P999Us)),
            Show.Processors(rung.Middle(one => one.ClientCpu)),
            Show.Processors(rung.MedianOfKnown(one => one.ServerCpu)),
            Show.Us(rung.MedianOfKnown(one => one.LagP99Us)),
            Show.Count(rung.MedianOfKnown(one => one.Connections)),
            Show.Count(rung.Errors),
            Limit(rung.Verdict),
        ];
        return (headers,
        [
            .. run.Search.Select((rung, index) => Row($"{run.Client.Language} {run.Client.Transport}", rung, run.Knee?.SearchIndex == index)),
            .. run.Peers.SelectMany(peer => peer.Rungs.Select(rung => Row(peer.Name, rung, false))),
        ]);
    }

    /// <summary>Returns the table of the rate search, with a row for each step, in order of the rates.</summary>
    public static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Rates(TuneRun run) =>
    (
        [
            "scheduled/s",
            "limit",
            "for",
            run.Target.Name(),
            "interval",
            "met",
            "completed/s",
            "p50",
            "service p99.9",
            "late p99.9",
            "not started",
            "errors",
            "stalls > 5 ms",
            "worst stall",
            "of the tail",
        ],
        [
            .. run.Rates.OrderBy(step => step.RatePerSecond).Select(step => (IReadOnlyList<string>)
            [
                Show.Count(step.RatePerSecond),
                Show.Count(step.Cap),
                step.Name,
                Show.Us(step.TargetUs),
                RateAnswer.BoundsOf(step.LowUs, step.HighUs),
                step.Miss is null ? "yes" : step.NotJudged ? "not judged" : "no",
                Show.Count(step.Measured.RequestsPerSecond) + (step.Measured.Noisy ? " ~" : ""),
                Show.Us(step.Measured.Latency.P50Us),
                Show.Us(step.Service.P999Us),
                Show.Us(step.Late?.P999Us),
                Show.Count(step.Unstarted),
                Show.Count(step.Measured.Errors.Values.Sum()),
                Show.Count(step.Measured.Stalls?.Over5Ms),
                Show.Us(step.Measured.Stalls?.WorstUs),
                Show.Percent(step.StallShareOfTail, "0"),
            ]),
        ]
    );

    /// <summary>Returns the table that compares numbers of channels.</summary>
    public static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Channels(TuneRun run) =>
    (
        ["where", "channels", "callers", "calls/s", "p50", "p99", "p99.9", "connections"],
        [
            .. run
                .Channels.Select(row => (row, rung: new SearchRung { Callers = row.Callers, Repetitions = row.Repetitions }))
                .Select(pair =>
                    (IReadOnlyList<string>)
            [
                pair.row.Variant.Length > 0 ? $"{pair.row.Where}, {pair.row.Variant}" : pair.row.Where,
                Show.Count(pair.row.Channels),
                Show.Count(pair.row.Callers),
                Show.Count(pair.rung.RequestsPerSecond) + (pair.rung.Noisy ? " ~" : ""),
                Show.Us(pair.rung.P50Us),
                Show.Us(pair.rung.P99Us),
                Show.Us(pair.rung.P999Us),
                Show.Count(pair.rung.MedianOfKnown(one => one.Connections)),
            ]),
        ]
    );

    /// <summary>Returns the table that compares the adaptive limit with fixed limits.</summary>
    public static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) Adaptive(TuneRun run) =>
    (
        ["scenario", "limit", "calls/s", "p50", "p99", "p99.9", "limit from", "limit mean", "limit to", "errors"],
        [
            .. run.Adaptive.Select(row => (IReadOnlyList<string>)
            [
                row.Scenario,
                row.Cap + (row.SaidUnreachable ? " (reported out of reach)" : ""),
                Show.Count(row.Measured.RequestsPerSecond) + (row.Measured.Noisy ? " ~" : ""),
                Show.Us(row.Measured.Latency.P50Us),
                Show.Us(row.Measured.Latency.P99Us),
                Show.Us(row.Measured.Latency.P999Us),
                Show.Count(row.Range?.Lowest),
                Show.Count(row.Range?.Mean),
                Show.Count(row.Range?.Highest),
                Show.Count(row.Measured.Errors.Values.Sum()),
            ]),
        ]
    );

    /// <summary>Returns a table with the bottleneck of each rung and its explanation.</summary>
    public static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) SearchVerdicts(TuneRun run)
    {
        bool channels = run.Search.Select(rung => rung.Channels).Distinct().Count() > 1;
        return (
            ["callers", "bottleneck", "why"],
            [
                .. from rung in run.Search
                where rung.Verdict is not null
                select (IReadOnlyList<string>)
                    [Show.Count(rung.Callers) + (channels ? $", {rung.Channels} channels" : ""), Name(rung.Verdict!.Limit), rung.Verdict.Why],
            ]);
    }

    /// <summary>Returns a table with the bottleneck of each step that missed the target, and its explanation.</summary>
    public static (IReadOnlyList<string> Headers, IReadOnlyList<IReadOnlyList<string>> Rows) RateVerdicts(TuneRun run) =>
        (
            ["scheduled/s", "limit", "bottleneck", "why"],
            [
                .. from step in run.Rates
                orderby step.RatePerSecond
                where step.Verdict is not null
                select (IReadOnlyList<string>)[Show.Count(step.RatePerSecond), Show.Count(step.Cap), Name(step.Verdict!.Limit), step.Verdict.Why],
            ]);

    /// <summary>Returns the environment as names and values.</summary>
    public static IReadOnlyList<(string Name, string Value)> Environment(TuneRun run) =>
    [
        ("Machine", $"{run.Machine.Cpu}, {run.Machine.Processors} processors, {run.Machine.MemoryBytes / (1L << 30)} GiB"),
        ("System", run.Machine.System),
        ("Client", $"{run.Client.Language} {run.Client.Version}, {run.Client.Runtime}"),
        ("Transport", run.Client.Transport),
        ("Configuration", run.Client.Configuration),
        ("Server", run.Client.Server == "embedded" ? "started by the tuner, on the same machine" : run.Client.Server),
        ("Network", run.Client.Network),
        ("Workload", Workload(run.Workload)),
        ("Tuner", $"{run.Machine.Runtime}, commit {run.Machine.Commit}"),
        ("Date", run.Machine.Date.ToString("yyyy-MM-dd HH:mm", System.Globalization.CultureInfo.InvariantCulture) + " UTC"),
        ("Took", Show.Us(run.TookSeconds * 1e6)),
        .. Machine(run),
    ];

    /// <summary>Returns the stalls of the idle machine and the CPU usage of the stall meter.</summary>
    private static IEnumerable<(string Name, string Value)> Machine(TuneRun run)
    {
        if (run.Floor is not { } floor)
        {
            yield break;
        }

        MachineStalls[] beside = [.. run.Rates.Select(step => step.Measured.Stalls).OfType<MachineStalls>()];
        double cost = beside.Sum(stalls => stalls.MeterCpuSeconds) / Math.Max(1e-9, beside.Sum(stalls => stalls.Seconds));
        yield return (
            "Stalls without load",
            $"p99.9 {Show.Us(floor.P999Us)}, worst {Show.Us(floor.WorstUs)}; the meter takes {Show.Percent(cost, "0.##")} of a processor");
    }

    /// <summary>Returns the name of a bottleneck.</summary>
    public static string Name(StepLimit limit) => limit switch
    {
        StepLimit.Callers => "too few callers",
        StepLimit.ClientCpu => "client CPU",
        StepLimit.ClientScheduler => "client scheduler",
        StepLimit.StreamLimit => "stream limit",
        StepLimit.Network => "network",
        StepLimit.ServerCpu => "server CPU",
        StepLimit.ServerTime => "the server's time",
        StepLimit.Generator => "the generator",
        StepLimit.Stalls => "machine stalls",
        StepLimit.MachineCpu => "the machine's CPU",
        StepLimit.Errors => "errors",
        StepLimit.Noise => "other programs",
        _ => "single calls or bursts",
    };

    private static string Limit(StepVerdict? verdict) => verdict is null ? Show.Unknown : Name(verdict.Limit);

    private static string Workload(TunedWorkload workload) => string.Join(", ", new[]
    {
        workload.Name,
        workload.Trace is null ? null : $"trace {workload.Trace}",
        workload.Keys is { } keys ? $"{Show.Count(keys)} keys" : null,
        workload.Zipf is { } zipf ? zipf == 0 ? "uniform" : System.FormattableString.Invariant($"Zipf α = {zipf}") : null,
        workload.ReadRatio is { } reads ? $"{Show.Percent(reads)} gets" : null,
        workload.MissRatio is { } misses and > 0 ? $"{Show.Percent(misses)} of them misses" : null,
        workload.Values is { } values ? $"values of {values}" : null,
    }.OfType<string>());

    private static IEnumerable<string> Where(bool wanted, string text) => wanted ? [text] : [];
}
