using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Tuner.Processes;

/// <summary>How the agents of clients and peers are started, in the tree or from the installed tool, and what each is driven against.</summary>
internal static class Agents
{
    /// <summary>Our clients.</summary>
    public static readonly string[] Clients = [.. AgentCommand.Clients];

    /// <summary>The clients' configurations.</summary>
    public static readonly string[] Configurations = ["laptop", "inRegion.default", "inRegion.lowLatency", "lambda"];

    /// <summary>The peers.</summary>
    public static readonly string[] Peers =
    [
        "redis", "httpclient", "redis-py", "grpcio", "ioredis", "node-redis", "valkey-glide", "grpc-js", "momento", "floor",
    ];

    /// <summary>The client of Redis Cluster that a language's users would take, for each of <see cref="Clients"/>.</summary>
    public static readonly string[] ClusterPeers = ["stackexchange-redis-cluster", "redis-py-cluster", "ioredis-cluster"];

    /// <summary>The agent of one of our clients.</summary>
    /// <exception cref="Harness.HarnessException">There is no such client, or it is not built.</exception>
    public static ProgramCommand OfClient(string client) => client == "dotnet" ? Dotnet(client, Programs.DotnetAgent) : InTree(client);

    /// <summary>The agent of a peer.</summary>
    /// <exception cref="Harness.HarnessException">There is no such peer.</exception>
    public static ProgramCommand OfPeer(string peer) => peer switch
    {
        "httpclient" => Dotnet(peer, Programs.Peers, "httpclient"),
        "redis" => Dotnet(peer, Programs.Peers, "redis"),
        "floor" => Dotnet(peer, Programs.Peers, "floor"),
        "redis-py" => InTree("python", "--peer", "redis"),
        "stackexchange-redis-cluster" => Dotnet(peer, Programs.Peers, "redis-cluster"),
        "redis-py-cluster" => InTree("python", "--peer", "redis-cluster"),
        "ioredis-cluster" => InTree("node", "--peer", "ioredis-cluster"),
        "grpcio" => InTree("python", "--peer", "grpcio"),
        "ioredis" or "node-redis" or "valkey-glide" or "grpc-js" or "momento" => InTree("node", "--peer", peer),
        _ => throw new TunerException(
            $"there is no peer \"{peer}\": known are redis, httpclient and floor (.NET), redis-py and grpcio (Python), ioredis, node-redis, valkey-glide, "
                + "grpc-js and momento (Node)"),
    };

    /// <summary>Whether a peer is driven against <c>redis-server</c>, not against ours.</summary>
    public static bool NeedsRedis(string peer) => peer is "redis" or "redis-py" or "ioredis" or "node-redis" or "valkey-glide";

    /// <summary>Returns whether a peer's agent can call its server over TLS.</summary>
    public static bool CanUseTls(string peer) => peer is "redis" or "grpcio";

    /// <summary>The program that the floor's client calls.</summary>
    public static ProgramCommand FloorServer() => Dotnet("the floor's server", Programs.Peers, "floor-server");

    /// <summary>Whether a peer is driven against the cluster that our front stands before.</summary>
    public static bool NeedsCluster(string peer) => ClusterPeers.Contains(peer);

    /// <summary>A language's generator alone: its calls end at once. .NET's is this program's own (<c>Cost/NoTarget</c>), so that it has none.</summary>
    public static ProgramCommand? OfNothing(string client) => client == "dotnet" ? null : InTree(client, "--peer", "nothing");

    /// <summary>A program that makes itself felt beside a measured client: <c>flooder</c>, or <c>large-values</c>, which is our client as well.</summary>
    public static ProgramCommand OfNeighbour(string neighbour) => Dotnet(neighbour, Programs.Peers, neighbour);

    /// <summary>A program that makes TLS connections and closes them.</summary>
    public static ProgramCommand OfHandshakes() => InTree("python", "--peer", "handshakes");

    /// <summary>A program that measures what .NET has without a near cache.</summary>
    public static ProgramCommand OfBareCaches() => Dotnet("caches", Programs.Peers, "caches");

    /// <summary>A program of many clients of one server, some with a near stream.</summary>
    public static ProgramCommand OfAudience() => Dotnet("audience", Programs.Peers, "audience");

    /// <summary>The program that publishes to one of the servers of topics and follows it: <c>larder</c>, <c>redis</c> or <c>nats</c>.</summary>
    public static ProgramCommand OfTopics(string peer) => Dotnet($"topics of {peer}", Programs.Peers, "topics", peer);

    /// <summary>The same agent of another checkout: what begins in this tree begins in <paramref name="root"/>.</summary>
    public static ProgramCommand In(this ProgramCommand command, string root)
    {
        string Moved(string text) => text.StartsWith(Programs.Root, StringComparison.Ordinal) ? root + text[Programs.Root.Length..] : text;
        return command with { Program = Moved(command.Program), Arguments = [.. command.Arguments.Select(Moved)], Folder = Moved(command.Folder) };
    }

    private static ProgramCommand Dotnet(string name, string assembly, params string[] more) =>
        ProgramCommand.Dotnet(name, assembly, more) with { Folder = Programs.Folder };

    private static ProgramCommand InTree(string client, params string[] more)
    {
        Programs.RequireTree();
        return AgentCommand.Of(client, more);
    }
}
