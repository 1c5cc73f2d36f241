using System.Text.Json.Nodes;
using Larder.Harness.Proxies;
using Larder.Tuner.Bench;

namespace Larder.Lab.Story;

/// <summary>A load of an experiment before it is run: who is driven, how it is opened, by how many.</summary>
internal sealed record StoryLoad
{
    /// <summary>The row's name.</summary>
    public required string Name { get; init; }

    /// <summary>Its line in the graph.</summary>
    public string Series { get; init; } = "";

    /// <summary>Its place across.</summary>
    public double X { get; init; }

    /// <summary>Concurrent callers of each process, closed loop.</summary>
    public required int Callers { get; init; }

    /// <summary>The bare library that is driven; null: our client.</summary>
    public string? Peer { get; init; }

    /// <summary>Our client's transport.</summary>
    public string Transport { get; init; } = "unary";

    /// <summary>Our client's configuration, whose deadline it has where none is given.</summary>
    public string Configuration { get; init; } = "laptop";

    /// <summary>The cap on requests in flight; of bare libraries without meaning, but for the SDK.</summary>
    public Cap Cap { get; init; } = new(CapKind.Default);

    /// <summary>Number of channels; null: as it comes.</summary>
    public int? Channels { get; init; }

    /// <summary>A bare library's pool of subchannels: <c>local shared</c>; null: as it comes.</summary>
    public string? Pool { get; init; }

    /// <summary>Each call's deadline; null: as it comes.</summary>
    public double? DeadlineMs { get; init; }

    /// <summary>The network put between; null for none.</summary>
    public NetworkDelay? Delay { get; init; }

    /// <summary>Processes side by side, each with a client and callers of its own.</summary>
    public int Processes { get; init; } = 1;

    /// <summary>More arguments of the agent.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>What was published of it.</summary>
    public Published? Published { get; init; }

    /// <summary>Loads that differ only in how a client is opened share an agent.</summary>
    public string AgentKey(int process) => string.Join(' ', [Peer ?? "ours", Delay?.ToString() ?? "", .. Arguments, $"{process}"]);

    /// <summary>The request that opens the client.</summary>
    public JsonObject OpenRequest()
    {
        var request = new JsonObject { ["op"] = "open" };
        (string Field, JsonNode? Value)[] fields =
        [
            ("transport", Peer is null ? Transport : null),
            ("configuration", Peer is null ? Configuration : null),
            // To say "off" to a library that has none would be refused as a demand is.
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

    /// <summary>The request that loads it: the reference workload.</summary>
    public JsonObject LoadRequest(double seconds, double warmupSeconds, int seed) => Request(seconds, warmupSeconds, seed, preload: false);

    /// <summary>The one that sets every key first, and warms the agent up.</summary>
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
