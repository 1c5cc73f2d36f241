using System.Text.Json.Nodes;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.Rounds;

namespace Larder.Tuner.Tune.UnderTest;

/// <summary>A client under test: its agent, and the requests that open and load it.</summary>
internal sealed class ClientUnderTest(ClientVariant variant, Contender contender, TuneOptions options)
{
    /// <summary>Gets the client's name and settings.</summary>
    public ClientVariant Variant { get; } = variant;

    /// <summary>Gets the agent. Clients under test that differ only in their open request share an agent.</summary>
    public Contender Contender { get; } = contender;

    /// <summary>Opens the client with a concurrency limit, loads it for one round, and closes it.</summary>
    public Task<Round> RunAsync(OfferedLoad load, Action<JsonObject> onProgress) =>
        Contender.RunAsync(OpenRequest(load), LoadRequest(load), onProgress, watchCap: load.AdaptiveTargetUs is not null);

    private JsonObject OpenRequest(OfferedLoad load)
    {
        var request = new JsonObject
        {
            ["op"] = "open",
            ["transport"] = Variant.Transport,
            ["configuration"] = options.Configuration,
        };
        foreach (
            (string? field, JsonNode? value) in new (string, JsonNode?)[]
            {
                ("maxInFlight", load.Cap),
                ("channels", Variant.Channels),
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

    private JsonObject LoadRequest(OfferedLoad load)
    {
        var request = new JsonObject
        {
            ["op"] = "load",
            ["callers"] = load.Callers,
            ["seconds"] = load.Seconds,
            ["warmupSeconds"] = load.WarmupSeconds,
            ["seed"] = load.Seed,
            ["sliceMs"] = load.SliceMs ?? LatencyTimeline.SliceMs(load.Seconds),
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
