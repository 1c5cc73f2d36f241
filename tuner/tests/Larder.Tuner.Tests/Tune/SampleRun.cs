using Larder.Agent;
using Larder.Tuner.Machine;
using Larder.Tuner.Tune;

namespace Larder.Tuner.Tests.Tune;

/// <summary>A run made up in code, always the same: two processors' worth of service at 10 µs a call, with every part of a report filled.</summary>
internal static class SampleRun
{
    /// <summary>The run, with a knee at 8 callers.</summary>
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
        Proof = [.. new[] { 50.0, 70, 85, 95 }.Select(percent => Proof(percent, speed))],
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
        Notes = ["2 rounds were rejected because other programs used the machine, and repeated."],
    };

    /// <summary>The callers of its search.</summary>
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

    private static ProofStep Proof(double percent, double speed)
    {
        double rate = 88_000 * speed * percent / 100;
        var service = LatencySummary.Of(Histogram(60, 20_000));
        return new ProofStep
        {
            Percent = percent,
            IntendedPerSecond = rate,
            Measured = Load(Math.Min(rate, 82_000), 60 / (1.01 - (percent / 100))),
            Service = service,
            Unstarted = percent > 90 ? 410 : 0,
            Verdict = new StepVerdict(StepLimit.ServerCpu, "the server uses 0.98 of a processor"),
        };
    }

    private static TimeSlice Slice(int callers, double at) => new()
    {
        AtSeconds = at,
        Seconds = 1,
        Phase = TunePhase.Search,
        Step = $"{callers} callers",
        Cells = TimeSlice.CellsOf(Histogram(callers * 10, 2_000)),
    };

    private static Measurement Load(double requestsPerSecond, double meanUs) => new()
    {
        Seconds = 2,
        RequestsPerSecond = requestsPerSecond,
        Latency = LatencySummary.Of(Histogram(meanUs, 20_000)),
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

    /// <summary>Exponentially distributed latencies by their quantiles: no generator, so always the same.</summary>
    private static LoadHistogram Histogram(double meanUs, int samples)
    {
        var histogram = new LoadHistogram();
        for (int i = 0; i < samples; i++)
        {
            histogram.Record((long)(1000 * ((meanUs * 0.4) - (meanUs * 0.6 * Math.Log(1 - ((i + 0.5) / samples))))));
        }

        return histogram;
    }
}
