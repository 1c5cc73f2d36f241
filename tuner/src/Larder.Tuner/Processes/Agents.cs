using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Tuner.Processes;

/// <summary>How the agents of clients and peers are started, in the tree or from the installed tool, and what each is driven against.</summary>
internal static class Agents
{
    /// <summary>The peer that is sockets alone, without a protocol and a store.</summary>
    public const string Floor = "floor";

    /// <summary>Our clients.</summary>
    public static readonly string[] Clients = [.. AgentCommand.Clients];

    /// <summary>The clients' configurations.</summary>
    public static readonly string[] Configurations = ["laptop", "inRegion.default", "inRegion.lowLatency", "lambda"];

    /// <summary>The peers.</summary>
    public static readonly string[] Peers =
    [
        "redis", "httpclient", "redis-py", "grpcio", "ioredis", "node-redis", "valkey-glide", "grpc-js", "momento", Floor,
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
        Floor => Dotnet(peer, Programs.Peers, Floor),
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

    /// <summary>The same agent of another checkout: what begins in this tree begins in <paramref name="root"/>.</summary>
    public static ProgramCommand In(this ProgramCommand command, string root)
    {
        string Moved(string text) => text.StartsWith(Programs.Root, StringComparison.Ordinal) ? root + text[Programs.Root.Length..] : text;
        return command with { Program = Moved(command.Program), Arguments = [.. command.Arguments.Select(Moved)], Folder = Moved(command.Folder) };
    }

    /// <summary>An agent of .NET.</summary>
    public static ProgramCommand Dotnet(string name, string assembly, params string[] more) =>
        ProgramCommand.Dotnet(name, assembly, more) with { Folder = Programs.Folder };

    /// <summary>An agent that only the tree has: of a client, or of a peer in its language.</summary>
    /// <exception cref="TunerException">This is the installed tool.</exception>
    public static ProgramCommand InTree(string client, params string[] more)
    {
        Programs.RequireTree();
        return AgentCommand.Of(client, more);
    }
}
