using System.Text.Json.Nodes;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Bench;

/// <summary>What <c>larder bench</c> was asked to do.</summary>
internal sealed record BenchOptions
{
    /// <summary>Callers and caps, in order.</summary>
    public required IReadOnlyList<Rung> Rungs { get; init; }

    /// <summary>Our clients: <c>dotnet python node</c>. Default dotnet.</summary>
    public IReadOnlyList<string> Clients { get; init; } = ["dotnet"];

    /// <summary>Transports of each: <c>unary pipeline auto</c>.</summary>
    public IReadOnlyList<string> Transports { get; init; } = ["auto"];

    /// <summary>
    /// Peers beside them: <c>redis httpclient redis-py grpcio ioredis node-redis valkey-glide momento</c>, and before a cluster those of
    /// <c>Agents.ClusterPeers</c>.
    /// </summary>
    public IReadOnlyList<string> Peers { get; init; } = [];

    /// <summary>Whether the server started is a front before a Redis Cluster of three masters, which is started too.</summary>
    public bool IsFleet { get; init; }

    /// <summary>Whether each client runs over TLS and, in the same run, in plaintext; peers over TLS. Default false.</summary>
    public bool BesidePlaintext { get; init; }

    /// <summary>Another checkout, whose server and clients run beside this tree's; null: none.</summary>
    public OtherCheckout? Before { get; init; }

    /// <summary>Rounds of each rung, 1 to 100; what is shown are medians. Default 1, and 5 beside a peer.</summary>
    public int Rounds { get; init; } = 1;

    /// <summary>Measured seconds of each round. Default 2.</summary>
    public double Seconds { get; init; } = 2;

    /// <summary>Seconds before it that are not measured. Default 1.</summary>
    public double WarmupSeconds { get; init; } = 1;

    /// <summary>The agent's <c>workload</c>.</summary>
    public string Workload { get; init; } = "reference";

    /// <summary>The client's configuration. Default laptop, whose deadline (5 s) leaves slow calls to be seen.</summary>
    public string Configuration { get; init; } = "laptop";

    /// <summary>Least number of channels; null leaves it to the configuration.</summary>
    public int? Channels { get; init; }

    /// <summary>A server that runs already, <c>host:port</c>; null starts one.</summary>
    public string? Server { get; init; }

    /// <summary>Whether that server is spoken to over TLS.</summary>
    public bool UseTls { get; init; }

    /// <summary>Its console, <c>host:port</c>; null where it is not known.</summary>
    public string? Console { get; init; }

    /// <summary>Token to send; null for none.</summary>
    public string? Token { get; init; }

    /// <summary>
    /// CPU that others may use during a round before it is rejected, in processors. Default 0.1: a twentieth of a 2-processor machine, well under
    /// the differences that are looked for.
    /// </summary>
    public double NoiseLimit { get; init; } = 0.1;

    /// <summary>Whether a disturbed round is rejected and repeated. Otherwise it counts, and its row says that it was disturbed. Default true.</summary>
    public bool RepeatDisturbed { get; init; } = true;

    /// <summary>The agent's request that opens one of our clients for a rung; without an endpoint, who sends it fills that in.</summary>
    public JsonObject OpenRequest(string transport, Rung rung, string? endpoint = null)
    {
        var request = new JsonObject
        {
            ["op"] = "open",
            ["transport"] = transport,
            ["configuration"] = Configuration,
        };
        Add(request, "endpoint", endpoint);
        Add(request, "maxInFlight", rung.Cap.ToJson());
        Add(request, "channels", Channels);
        Add(request, "token", Token);
        Add(request, "tls", UseTls ? true : null);
        return request;
    }

    /// <summary>The agent's request that loads a client for one round.</summary>
    public JsonObject LoadRequest(Rung rung, int seed, bool preload) => new()
    {
        ["op"] = "load",
        ["callers"] = rung.Callers,
        ["seconds"] = Seconds,
        ["warmupSeconds"] = WarmupSeconds,
        ["seed"] = seed,
        ["workload"] = new JsonObject { ["name"] = Workload, ["preload"] = preload },
    };

    private static void Add(JsonObject request, string field, JsonNode? value)
    {
        if (value is not null)
        {
            request[field] = value;
        }
    }
}
