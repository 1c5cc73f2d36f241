using Larder.Report.Runs;

namespace Larder.Report.Tests.Runs;

/// <summary>A synthetic, deterministic run of a server with two processors that need 10 µs per call. It contains data for every part of a report.</summary>
internal static class SampleRun
{
    /// <summary>Creates the run, with a knee at 8 callers.</summary>
    public static TuneRun Make(string language = "dotnet", double speed = 1) => new()
    {
        Command = "./larder tune --client dotnet --target p999=5ms",
        Machine = new Fingerprint(
            "A made-up processor",
            2,
            8L << 30,
            "Linux 6",
            ".NET 10.0.1",
            "0123456789ab",
            new DateTimeOffset(2026, 11, 21, 12, 0, 0, TimeSpan.Zero)),
        TookSeconds = 120,
        Client = new TunedClient { Language = language, Version = "0.1.0", Runtime = ".NET 10.0.1", Transport = "pipeline", Configuration = "laptop" },
        Target = new TuneTarget(0.999, 5_000),
        Workload = new TunedWorkload { Name = "reference", Keys = 1_000, Zipf = 0, ReadRatio = 0.5, MissRatio = 0, Values = "100 B", TtlMs = 600_000 },
        Search = [.. Ladder.Select(callers => Rung(callers, speed))],
        Knee = new ChosenKnee(4, "the smallest rung with at least 98 % of the best throughput within p99.9 < 5 ms"),
        Proved = new ProvedRate { RatePerSecond = 60_000 * speed, Cap = 5, TargetUs = 3_100, LowUs = 2_800, HighUs = 3_400, BreaksAt = 63_000 * speed },
        Rates =
        [
            Rate(RateStepKind.Probe, 60_000 * speed, 8, 2_900),
            Rate(RateStepKind.Probe, 75_000 * speed, 8, null),
            Rate(RateStepKind.Probe, 63_000 * speed, 8, 7_000),
            Rate(RateStepKind.Cap, 60_000 * speed, 3, 9_000),
            Rate(RateStepKind.Cap, 60_000 * speed, 5, 3_000),
            Rate(RateStepKind.Confirm, 60_000 * speed, 5, 3_100),
        ],
        Floor = new MachineStalls { Seconds = 1.5, Over5Ms = 0, WorstUs = 900, P999Us = 80, MeterCpuSeconds = 0.006 },
        Timeline = [.. Ladder.SelectMany((callers, index) => Enumerable.Range(0, 3).Select(second => Slice(callers, (index * 4) + second)))],
        Channels =
        [
            .. new[] { 1, 2, 5, 10 }.SelectMany(channels =>
                new[] { ("at the knee", 8), ("5,000 callers", 5_000) }.Select(where => new ChannelRow
                {
                    Channels = channels,
                    Callers = where.Item2,
                    Where = where.Item1,
                    Repetitions = [Load(80_000 * channels / (channels + 0.2), where.Item2 * 12)],
                })),
        ],
        Adaptive =
        [
            new AdaptiveRow { Scenario = "steady", Cap = "fixed 8", Measured = Load(90_000, 100) },
            new AdaptiveRow { Scenario = "steady", Cap = "adaptive, p99.9 < 5 ms", Measured = Load(88_000, 110), Range = new CapRange(4, 9, 20) },
        ],
        Peers = [new PeerSeries("stackexchange-redis", [.. Ladder.Select(callers => Rung(callers, speed * 0.6) with { Verdict = null })])],
        Recommendation = new Recommendation { Base = "laptop", Transport = "pipeline", MaxInFlight = 8, Channels = 2, RequestTimeoutMs = 1_100 },
        Assertions = [new Assertion("p99.9 < 20 ms", "1.91 ms", true)],
        Notes = ["2 rounds were rejected and repeated, because other programs used the machine."],
    };

    /// <summary>Gets the numbers of callers in the search.</summary>
    public static IReadOnlyList<int> Ladder { get; } = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89];

    private static SearchRung Rung(int callers, double speed) => new()
    {
        Callers = callers,
        Repetitions =
        [
            .. Enumerable
                .Range(0, 3)
                .Select(pass => Load(speed * (1 + (0.005 * pass)) * 100_000 * callers / (callers + 1.0), Math.Max(15, callers * 10 / speed))),
        ],
        Verdict =
            callers < 8
                ? new StepVerdict(StepLimit.Callers, "throughput still grows with callers")
                : new StepVerdict(StepLimit.MachineCpu, "client and server together use 1.96 of 2 processors"),
    };

    private static RateStep Rate(RateStepKind kind, double rate, int cap, double? targetUs)
    {
        Measurement measured = Load(targetUs is null ? rate * 0.8 : rate, 60);
        var step = new RateStep
        {
            Kind = kind,
            RatePerSecond = rate,
            Cap = cap,
            Measured = measured with
            {
                Latency = measured.Latency with { P999Us = targetUs ?? 900_000 },
                Stalls = new MachineStalls { Seconds = 2, Over5Ms = 1, WorstUs = 6_100, P999Us = 90, SecondsOver5Ms = 0.0001, MeterCpuSeconds = 0.008 },
            },
            Service = Latency(60, 20_000),
            Late = Latency(20, 20_000),
            Unstarted = targetUs is null ? 410 : 0,
            TargetUs = targetUs,
            LowUs = targetUs * 0.9,
            HighUs = targetUs * 1.1,
            StallShareOfTail = 0.05,
        };
        return targetUs <= 5_000
            ? step
            : step with
            {
                Miss = targetUs is null ? "failed or not started calls: 410" : "p99.9 over it",
                Verdict = new StepVerdict(StepLimit.ServerCpu, "the server uses 0.98 of a processor"),
            };
    }

    private static TimeSlice Slice(int callers, double at) => new()
    {
        AtSeconds = at,
        Seconds = 1,
        Phase = TunePhase.Search,
        Step = $"{callers} callers",
        Cells = Cells(callers * 10, 2_000),
    };

    private static Measurement Load(double requestsPerSecond, double meanUs) => new()
    {
        Seconds = 2,
        RequestsPerSecond = requestsPerSecond,
        Latency = Latency(meanUs, 20_000),
        Server = new ServerPercentiles(20_000, meanUs / 4, meanUs, meanUs * 2),
        Hits = 10_000,
        ClientCpu = 0.9,
        ServerCpu = 0.8,
        OthersCpu = 0.01,
        LagP99Us = 120,
        LagMaxUs = 900,
        Connections = 1,
        BytesPerCall = 96,
        ResidentBytes = 83_886_080,
    };

    /// <summary>Returns a quantile of exponentially distributed latencies. No random numbers are used, so the result is always the same.</summary>
    private static double AtUs(double meanUs, double quantile) => (meanUs * 0.4) - (meanUs * 0.6 * Math.Log(1 - quantile));

    private static LatencySummary Latency(double meanUs, int samples) => new()
    {
        Samples = samples,
        MeanUs = meanUs,
        P50Us = AtUs(meanUs, 0.5),
        P90Us = AtUs(meanUs, 0.9),
        P99Us = AtUs(meanUs, 0.99),
        P999Us = AtUs(meanUs, 0.999),
        MaxUs = AtUs(meanUs, 1 - (0.5 / samples)),
        Curve = [.. QuantilePoint.Quantiles.Where(one => (1 - one) * samples >= 10).Select(one => new QuantilePoint(one, AtUs(meanUs, one)))],
    };

    private static IReadOnlyList<HeatCell> Cells(double meanUs, int samples) =>
    [
        .. Enumerable.Range(0, samples)
            .CountBy(i => Math.Max(0, (int)Math.Floor(Math.Log2(AtUs(meanUs, (i + 0.5) / samples)) * TimeSlice.BucketsPerDoubling)))
            .OrderBy(pair => pair.Key)
            .Select(pair => new HeatCell(pair.Key, pair.Value)),
    ];
}
