using Larder.Lab.Story;
using Larder.Report.Runs;

namespace Larder.Lab.Tests.Story;

/// <summary>A deterministic sample story. It contains every step of a language's plan with two passes of measurements.</summary>
internal static class SampleStory
{
    /// <summary>Creates the story. <paramref name="measure"/> returns the measurements of a load. By default they depend on the number of callers.</summary>
    public static StoryRun Make(string language, Func<StoryLoad, Measurement>? measure = null) => new()
    {
        Command = $"./larder lab story --client {language}",
        Machine = new Fingerprint("A made-up processor", 2, 8L << 30, "Linux 6", ".NET 10.0.1", "0123456789ab", new(2026, 11, 24, 0, 0, 0, default)),
        TookSeconds = 290,
        Language = language,
        ClientVersion = "0.1.0",
        Runtime = "a runtime",
        Shipped = [new("laptop.v1", 100, 1_000), new("inRegion.default.v1", 50, 2_500), new("inRegion.lowLatency.v1", 2, 600)],
        Steps =
        [
            .. StoryPlan.Of(new StoryOptions { Client = language })
                .Select(step => StepOf(step, measure ?? (load => Figures(load.Callers * 10, load.Callers * 20, connections: 1)))),
        ],
    };

    /// <summary>Returns a step of a language with the given measurements for its loads.</summary>
    public static StoryStep Step(string language, string id, Func<StoryLoad, Measurement> measure) =>
        StepOf(StoryPlan.Of(new StoryOptions { Client = language, Steps = [id] }).Single(), measure);

    /// <summary>Returns the sentences that a step of a language generates from the given measurements.</summary>
    public static IReadOnlyList<string> Lessons(string language, string id, Func<StoryLoad, Measurement> measure) =>
        StoryFindings.Of(Step(language, id, measure), Make(language));

    /// <summary>Creates a measurement from calls per second and p50. Its p99.9 is ten times p50.</summary>
    public static Measurement Figures(double rate, double p50Us, double failed = 0, long? connections = null, double? slowestUs = null) => new()
    {
        Seconds = 1,
        RequestsPerSecond = rate,
        Latency = new LatencySummary
        {
            Samples = 10_000,
            P50Us = p50Us,
            P90Us = p50Us * 2,
            P99Us = p50Us * 5,
            P999Us = p50Us * 10,
            MaxUs = slowestUs ?? p50Us * 20,
        },
        Errors = failed > 0 ? new Dictionary<string, long> { ["Timeout"] = (long)(10_000 * failed) } : [],
        ClientCpu = 0.9,
        ServerCpu = 0.4,
        Connections = connections,
        Stalls = new MachineStalls { Seconds = 1, Over5Ms = 1, WorstUs = 6_100, P999Us = 90 },
    };

    private static StoryStep StepOf(PlannedStep planned, Func<StoryLoad, Measurement> measure) =>
        planned.With(
            [
                .. planned.Loads.Select(load => new StoryRow
                {
                    Name = load.Name,
                    Series = load.Series,
                    X = load.X,
                    Passes = [measure(load), measure(load)],
                    Published = load.Published,
                }),
            ]) with
        {
            TookSeconds = 20,
            Answers = planned.Id != StoryPlan.Targets
                ? []
                : [.. StoryOptions.Targets.SelectMany(target => new[] { Answer("unary", target), Answer("pipeline", target) })],
        };

    private static StoryResult Answer(string transport, TuneTarget target) => new()
    {
        Transport = transport,
        Target = target,
        Proved = new ProvedRate { RatePerSecond = 12_000, Cap = 34, TargetUs = 3_100, LowUs = 2_800, HighUs = 3_400, BreaksAt = 13_500 },
        Sentence = "12,000 calls per second with a concurrency limit of 34, p99.9 3.10 ms (2.80 ms to 3.40 ms); higher rates were not tried.",
        Knee = 55,
        KneeRate = 15_000,
        Code = "the code",
        Published = transport == "unary" ? PublishedFigures.Target("node", target.LimitUs) : null,
    };
}
