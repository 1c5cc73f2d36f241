using System.Text.Json.Nodes;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Bench;

/// <summary>The options of <c>larder bench</c>.</summary>
internal sealed record BenchOptions
{
    /// <summary>Gets the rungs to measure, in order. Each rung is a number of callers with a concurrency limit.</summary>
    public required IReadOnlyList<Rung> Rungs { get; init; }

    /// <summary>Gets the Larder clients to measure: <c>dotnet</c>, <c>python</c> or <c>node</c>. The default is dotnet.</summary>
    public IReadOnlyList<string> Clients { get; init; } = ["dotnet"];

    /// <summary>Gets the transports with which each client is measured: <c>unary</c>, <c>pipeline</c> or <c>auto</c>. The default is auto.</summary>
    public IReadOnlyList<string> Transports { get; init; } = ["auto"];

    /// <summary>Gets the peers to compare with. Each is one of <see cref="Agents.Peers"/> or, for a cluster, of <see cref="Agents.ClusterPeers"/>.</summary>
    public IReadOnlyList<string> Peers { get; init; } = [];

    /// <summary>Gets whether the server is a gateway in front of a Redis Cluster of three masters. The cluster is then also started.</summary>
    public bool IsFleet { get; init; }

    /// <summary>
    /// Gets whether each client is measured over TLS and, in the same run, in plaintext. Peers are then measured over TLS. The default is false.
    /// </summary>
    public bool BesidePlaintext { get; init; }

    /// <summary>Gets another checkout, whose server and clients are compared with the server and clients of this checkout. Null if there is none.</summary>
    public OtherCheckout? Before { get; init; }

    /// <summary>
    /// Gets the path of another server program, which is compared with the server of this checkout. It is an executable file with the command <c>serve</c>, or
    /// the assembly of a server. Null if no other server is compared.
    /// </summary>
    public string? OtherServer { get; init; }

    /// <summary>Gets the number of rounds per rung, 1 to 100. The medians of the rounds are shown. The default is 1, or 5 if peers are compared.</summary>
    public int Rounds { get; init; } = 1;

    /// <summary>Gets the measured time of a round in seconds. The default is 2.</summary>
    public double Seconds { get; init; } = 2;

    /// <summary>Gets the warm-up time before each round in seconds, which is not measured. The default is 1.</summary>
    public double WarmupSeconds { get; init; } = 1;

    /// <summary>Gets the agent's <c>workload</c>. The default is reference.</summary>
    public string Workload { get; init; } = "reference";

    /// <summary>Gets the client's configuration. The default is laptop, whose deadline of 5 s is long enough to show slow calls.</summary>
    public string Configuration { get; init; } = "laptop";

    /// <summary>Gets the minimum number of channels, or null for the configuration's default.</summary>
    public int? Channels { get; init; }

    /// <summary>Gets the number of connections of the .NET client's pipeline; null for the configuration's number.</summary>
    public int? PipelineConnections { get; init; }

    /// <summary>Gets the <c>host:port</c> of a running server, or null to start one.</summary>
    public string? Server { get; init; }

    /// <summary>Gets whether to use TLS with the server at <see cref="Server"/>.</summary>
    public bool UseTls { get; init; }

    /// <summary>Gets the <c>host:port</c> of the console of that server, or null if unknown.</summary>
    public string? Console { get; init; }

    /// <summary>Gets the token to send, or null.</summary>
    public string? Token { get; init; }

    /// <summary>
    /// Gets the noise limit: the maximum CPU usage of other programs, in processors. A round is rejected if they use more. The default is 0.1, which is 5 % of
    /// a machine with 2 processors and well below the differences to be measured.
    /// </summary>
    public double NoiseLimit { get; init; } = 0.1;

    /// <summary>
    /// Gets whether a disturbed round is rejected and repeated. Otherwise the round counts, and its row is marked as disturbed. The default is true.
    /// </summary>
    public bool RepeatDisturbed { get; init; } = true;

    /// <summary>
    /// Creates the agent's request to open a Larder client for a rung. If <paramref name="endpoint"/> is null, the caller must add the endpoint to the request.
    /// </summary>
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
        Add(request, "pipelineConnections", PipelineConnections);
        Add(request, "token", Token);
        Add(request, "tls", UseTls ? true : null);
        return request;
    }

    /// <summary>Creates the agent's request to load a client for one round.</summary>
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
