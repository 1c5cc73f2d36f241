using System.Text.Json.Nodes;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tune;

/// <summary>One of what is tuned: its agent, and how it is opened and loaded.</summary>
internal sealed class Arm(ArmName name, Contender contender, TuneOptions options)
{
    /// <summary>Its name.</summary>
    public ArmName Name { get; } = name;

    /// <summary>Its agent; arms that differ only in how a client is opened share one.</summary>
    public Contender Contender { get; } = contender;

    /// <summary>Opens it with a cap, loads it for one round, closes it.</summary>
    public Task<Round> RunAsync(TuneLoad load, Action<JsonObject> onProgress) =>
        Contender.RunAsync(OpenRequest(load), LoadRequest(load), onProgress, watchCap: load.AdaptiveTargetUs is not null);

    private JsonObject OpenRequest(TuneLoad load)
    {
        var request = new JsonObject
        {
            ["op"] = "open",
            ["transport"] = Name.Transport,
            ["configuration"] = options.Configuration,
        };
        foreach (
            (string? field, JsonNode? value) in new (string, JsonNode?)[]
            {
                ("maxInFlight", load.Cap),
                ("channels", Name.Channels),
                ("token", options.Token),
                ("tls", options.UseTls ? true : null),
                ("adaptiveTargetMs", load.AdaptiveTargetUs / 1000),
                ("wire", load.FromPermit ? true : null),
            })
        {
            if (value is not null)
            {
                request[field] = value;
            }
        }

        return request;
    }

    private JsonObject LoadRequest(TuneLoad load)
    {
        var request = new JsonObject
        {
            ["op"] = "load",
            ["callers"] = load.Callers,
            ["seconds"] = load.Seconds,
            ["warmupSeconds"] = load.WarmupSeconds,
            ["seed"] = load.Seed,
            ["sliceMs"] = TuneTimeline.SliceMs(load.Seconds),
            ["wire"] = load.FromPermit,
            ["workload"] = options.Workload.ForAgent(load.Preload),
        };
        if (load.RatePerSecond is { } rate)
        {
            request["openLoopRatePerSecond"] = rate;
            request["arrivals"] = load.Uniform ? "uniform" : "poisson";
        }

        return request;
    }
}

/// <summary>A load: callers, the client's cap (null: the configuration's own), and in the open loop the rate, by gaps of chance or all alike.</summary>
internal sealed record TuneLoad(
    int Callers,
    int? Cap,
    double Seconds,
    int Seed = 1,
    double? RatePerSecond = null,
    bool Preload = false,
    double WarmupSeconds = TuneLoad.UsualWarmupSeconds,
    bool Uniform = false)
{
    /// <summary>What a process that is warm needs after its client was opened.</summary>
    public const double UsualWarmupSeconds = 0.25;

    /// <summary>The target that the client adapts its cap to, in µs; <see cref="Cap"/> is then the largest. Null: the cap is fixed.</summary>
    public double? AdaptiveTargetUs { get; init; }

    /// <summary>Whether latency from the permit to the end is measured too.</summary>
    public bool FromPermit { get; init; }
}
