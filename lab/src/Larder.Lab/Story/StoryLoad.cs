using System.Text.Json.Nodes;
using Larder.Harness.Proxies;
using Larder.Tuner.Bench;

namespace Larder.Lab.Story;

/// <summary>A planned load of an experiment: the client or library, its options, and the number of callers.</summary>
internal sealed record StoryLoad
{
    /// <summary>Gets the name of the row.</summary>
    public required string Name { get; init; }

    /// <summary>Gets the name of the line to which the load belongs in the graph.</summary>
    public string Series { get; init; } = "";

    /// <summary>Gets the position of the load on the x axis.</summary>
    public double X { get; init; }

    /// <summary>Gets the number of concurrent callers of each process, in a closed loop.</summary>
    public required int Callers { get; init; }

    /// <summary>Gets the plain library to measure; null for the Larder client.</summary>
    public string? Peer { get; init; }

    /// <summary>Gets the transport of the Larder client.</summary>
    public string Transport { get; init; } = "unary";

    /// <summary>Gets the configuration of the Larder client. It also provides the deadline if none is specified.</summary>
    public string Configuration { get; init; } = "laptop";

    /// <summary>Gets the concurrency limit. The only plain library with a limit is the published SDK (<see cref="StoryPlan.Sdk"/>).</summary>
    public Cap Cap { get; init; } = new(CapKind.Default);

    /// <summary>Gets the number of channels; null for the default.</summary>
    public int? Channels { get; init; }

    /// <summary>Gets a plain library's subchannel pool, <c>local</c> or <c>shared</c>; null for the default.</summary>
    public string? Pool { get; init; }

    /// <summary>Gets the deadline of each call; null for the default.</summary>
    public double? DeadlineMs { get; init; }

    /// <summary>Gets the simulated network; null for none.</summary>
    public NetworkDelay? Delay { get; init; }

    /// <summary>Gets the number of concurrent processes, each with its own client and callers.</summary>
    public int Processes { get; init; } = 1;

    /// <summary>Gets additional arguments of the agent.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>Gets the published result.</summary>
    public Published? Published { get; init; }

    /// <summary>Returns the key of the agent. Loads that differ only in how a client is opened share an agent.</summary>
    public string AgentKey(int process) => string.Join(' ', [Peer ?? "ours", Delay?.ToString() ?? "", .. Arguments, $"{process}"]);

    /// <summary>Returns the request that opens the client.</summary>
    public JsonObject OpenRequest()
    {
        var request = new JsonObject { ["op"] = "open" };
        (string Field, JsonNode? Value)[] fields =
        [
            ("transport", Peer is null ? Transport : null),
            ("configuration", Peer is null ? Configuration : null),
            // A library without a concurrency limit would reject the option, even with the value "off".
            ("maxInFlight", Peer is null || Cap.Kind == CapKind.Number ? Cap.ToJson() : null),
            ("channels", Channels),
            ("subchannelPool", Pool),
            ("requestTimeoutMs", DeadlineMs),
        ];
        foreach ((string field, JsonNode? value) in fields.Where(pair => pair.Value is not null))
        {
            request[field] = value;
        }

        return request;
    }

    /// <summary>Returns the request for the load, with the reference workload.</summary>
    public JsonObject LoadRequest(double seconds, double warmupSeconds, int seed) => Request(seconds, warmupSeconds, seed, preload: false);

    /// <summary>Returns the request for a load that first sets every key and warms up the agent.</summary>
    public JsonObject PreloadRequest(double seconds) => Request(seconds, 0, 1, preload: true);

    private JsonObject Request(double seconds, double warmupSeconds, int seed, bool preload) => new()
    {
        ["op"] = "load",
        ["callers"] = Callers,
        ["seconds"] = seconds,
        ["warmupSeconds"] = warmupSeconds,
        ["seed"] = seed,
        ["workload"] = new JsonObject { ["name"] = "reference", ["preload"] = preload },
    };
}
