namespace Larder.Tuner.Processes;

/// <summary>
/// How the agent of a client or of a peer is started. <paramref name="NeedsRedis"/>: it is driven against <c>redis-server</c>, not against ours;
/// <paramref name="NeedsCluster"/>: against the cluster that our front stands before.
/// </summary>
internal sealed record AgentCommand(string Program, IReadOnlyList<string> Arguments, string Folder, bool NeedsRedis = false, bool NeedsCluster = false)
{
    /// <summary>Our clients.</summary>
    public static readonly string[] Clients = ["dotnet", "python", "node"];

    /// <summary>The clients' configurations.</summary>
    public static readonly string[] Configurations = ["laptop", "inRegion.default", "inRegion.lowLatency", "lambda"];

    /// <summary>The peers.</summary>
    public static readonly string[] Peers = ["redis", "httpclient", "redis-py", "grpcio", "ioredis", "grpc-js", "momento"];

    /// <summary>The client of Redis Cluster that a language's users would take, for each of <see cref="Clients"/>.</summary>
    public static readonly string[] ClusterPeers = ["stackexchange-redis-cluster", "redis-py-cluster", "ioredis-cluster"];

    private const string PythonFolder = "clients/python";
    private const string NodeFolder = "clients/node";
    private const string NodeAgent = "dist/agent/main.js";

    /// <summary>The agent of one of our clients.</summary>
    /// <exception cref="TunerException">There is no such client.</exception>
    public static AgentCommand OfClient(string client) => client switch
    {
        "dotnet" => Dotnet(Programs.DotnetAgent),
        "python" => Python(),
        "node" => Node(),
        _ => throw new TunerException($"there is no client \"{client}\": known are dotnet, python, node"),
    };

    /// <summary>The agent of a peer.</summary>
    /// <exception cref="TunerException">There is no such peer.</exception>
    public static AgentCommand OfPeer(string peer) => peer switch
    {
        "httpclient" => Dotnet(Programs.Peers, "httpclient"),
        "redis" => Dotnet(Programs.Peers, "redis") with { NeedsRedis = true },
        "redis-py" => Python("--peer", "redis") with { NeedsRedis = true },
        "stackexchange-redis-cluster" => Dotnet(Programs.Peers, "redis-cluster") with { NeedsCluster = true },
        "redis-py-cluster" => Python("--peer", "redis-cluster") with { NeedsCluster = true },
        "ioredis-cluster" => Node("--peer", "ioredis-cluster") with { NeedsCluster = true },
        "grpcio" => Python("--peer", "grpcio"),
        "ioredis" => Node("--peer", "ioredis") with { NeedsRedis = true },
        "grpc-js" => Node("--peer", "grpc-js"),
        "momento" => Node("--peer", "momento"),
        _ => throw new TunerException(
            $"there is no peer \"{peer}\": known are redis and httpclient (.NET), redis-py and grpcio (Python), ioredis, grpc-js and momento (Node)"),
    };

    /// <summary>A language's generator alone: its calls end at once. .NET's is this program's own (<c>Cost/NoTarget</c>), so that it has none.</summary>
    public static AgentCommand? OfNothing(string client) => client switch
    {
        "python" => Python("--peer", "nothing"),
        "node" => Node("--peer", "nothing"),
        _ => null,
    };

    /// <summary>A program that makes itself felt beside a measured client: <c>flooder</c>, or <c>large-values</c>, which is our client as well.</summary>
    public static AgentCommand OfNeighbour(string neighbour) => Dotnet(Programs.Peers, neighbour);

    /// <summary>The program that publishes to one of the servers of topics and follows it: <c>larder</c>, <c>redis</c> or <c>nats</c>.</summary>
    public static AgentCommand OfTopics(string peer) => Dotnet(Programs.Peers, "topics", peer);

    /// <summary>The same agent of another checkout: what begins in this tree begins in <paramref name="root"/>.</summary>
    public AgentCommand In(string root)
    {
        string Moved(string text) => text.StartsWith(Programs.Root, StringComparison.Ordinal) ? root + text[Programs.Root.Length..] : text;
        return this with { Program = Moved(Program), Arguments = [.. Arguments.Select(Moved)], Folder = Moved(Folder) };
    }

    private static AgentCommand Dotnet(string assembly, params string[] more) => new("dotnet", [assembly, .. more], Programs.Folder);

    private static AgentCommand Python(params string[] more) =>
        new(Path.Combine(Programs.Root, "tools/python"), ["-m", "agent", .. more], Path.Combine(Programs.Root, PythonFolder));

    private static AgentCommand Node(params string[] more)
    {
        string folder = Path.Combine(Programs.Root, NodeFolder);
        return File.Exists(Path.Combine(folder, NodeAgent))
            ? new AgentCommand("node", [NodeAgent, .. more], folder)
            : throw new TunerException($"{NodeFolder}/{NodeAgent} is not built: run `npm ci && npm run build` in {NodeFolder}");
    }
}
