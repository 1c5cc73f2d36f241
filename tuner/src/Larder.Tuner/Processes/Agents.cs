using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Tuner.Processes;

/// <summary>
/// Provides the commands that start the agents of clients and peers, from the repository or from the installed tool. Also provides the kind of server that each
/// peer calls.
/// </summary>
internal static class Agents
{
    /// <summary>The name of the baseline peer, which uses only sockets, without HTTP/2, gRPC and a store.</summary>
    public const string Floor = "floor";

    /// <summary>The Larder clients.</summary>
    public static readonly string[] Clients = [.. AgentCommand.Clients];

    /// <summary>The clients' configurations.</summary>
    public static readonly string[] Configurations = ["laptop", "inRegion.default", "inRegion.lowLatency", "lambda"];

    /// <summary>The names of the peers.</summary>
    public static readonly string[] Peers =
    [
        "redis", "garnet", "grpc-dotnet", "grpc-aspnetcore", "redis-py", "grpcio", "ioredis", "node-redis", "valkey-glide", "memjs", "grpc-js", "momento",
        Floor,
    ];

    /// <summary>
    /// The names of the Redis Cluster clients that are compared with a gateway: one for the language of each of <see cref="Clients"/>, in the same order.
    /// </summary>
    public static readonly string[] ClusterPeers = ["stackexchange-redis-cluster", "redis-py-cluster", "ioredis-cluster"];

    /// <summary>Returns the command that starts the agent of a Larder client.</summary>
    /// <exception cref="Harness.HarnessException">The client is unknown or has not been built.</exception>
    public static ProgramCommand OfClient(string client) => client == "dotnet" ? Dotnet(client, Programs.DotnetAgent) : InTree(client);

    /// <summary>Returns the command that starts the agent of a peer.</summary>
    /// <exception cref="Harness.HarnessException">The peer is unknown.</exception>
    public static ProgramCommand OfPeer(string peer) => peer switch
    {
        "redis" or "garnet" or "grpc-dotnet" or "grpc-aspnetcore" => Dotnet(peer, Programs.Peers, peer),
        Floor => Dotnet(peer, Programs.Peers, Floor),
        "redis-py" => InTree("python", "--peer", "redis"),
        "stackexchange-redis-cluster" => Dotnet(peer, Programs.Peers, "redis-cluster"),
        "redis-py-cluster" => InTree("python", "--peer", "redis-cluster"),
        "ioredis-cluster" => InTree("node", "--peer", "ioredis-cluster"),
        "grpcio" => InTree("python", "--peer", "grpcio"),
        "ioredis" or "node-redis" or "valkey-glide" or "memjs" or "grpc-js" or "momento" => InTree("node", "--peer", peer),
        _ => throw new TunerException(
            $"unknown peer \"{peer}\"; use redis, garnet, grpc-dotnet, grpc-aspnetcore or floor (.NET), redis-py or grpcio (Python), ioredis, node-redis, "
                + "valkey-glide, memjs, grpc-js or momento (Node)"),
    };

    /// <summary>Returns whether a peer calls <c>redis-server</c> instead of a Larder server.</summary>
    public static bool NeedsRedis(string peer) => peer is "redis" or "redis-py" or "ioredis" or "node-redis" or "valkey-glide";

    /// <summary>Returns whether a peer calls memcached instead of a Larder server.</summary>
    public static bool NeedsMemcached(string peer) => peer == "memjs";

    /// <summary>Returns whether a peer's agent can call its server over TLS.</summary>
    public static bool CanUseTls(string peer) => peer is "redis" or "grpc-dotnet" or "grpcio";

    /// <summary>
    /// Returns the command that starts the server of a peer if the peer has a server of its own, which prints its address. Otherwise returns null.
    /// </summary>
    /// <exception cref="TunerException">The program is the installed tool, which does not contain this server.</exception>
    public static ProgramCommand? OwnServer(string peer) => peer switch
    {
        Floor => Dotnet("the floor's server", Programs.Peers, "floor-server"),
        "garnet" or "grpc-aspnetcore" => Dotnet($"the server of {peer}", Programs.PeerServers, peer),
        _ => null,
    };

    /// <summary>Returns whether a peer calls the cluster behind the gateway.</summary>
    public static bool NeedsCluster(string peer) => ClusterPeers.Contains(peer);

    /// <summary>
    /// Returns the command that starts the same agent from another checkout. Paths in this repository are replaced by paths in <paramref name="root"/>.
    /// </summary>
    public static ProgramCommand In(this ProgramCommand command, string root)
    {
        string Moved(string text) => text.StartsWith(Programs.Root, StringComparison.Ordinal) ? root + text[Programs.Root.Length..] : text;
        return command with { Program = Moved(command.Program), Arguments = [.. command.Arguments.Select(Moved)], Folder = Moved(command.Folder) };
    }

    /// <summary>Returns the command that starts a .NET program, such as an agent, in the folder for .NET programs.</summary>
    public static ProgramCommand Dotnet(string name, string assembly, params string[] more) =>
        ProgramCommand.Dotnet(name, assembly, more) with { Folder = Programs.Folder };

    /// <summary>
    /// Returns the command that starts an agent that exists only in the repository. Without <paramref name="more"/>, this is the agent of the client. With the
    /// option <c>--peer</c>, it is the agent of a peer in the same language.
    /// </summary>
    /// <exception cref="TunerException">The program is the installed tool, which has no repository.</exception>
    public static ProgramCommand InTree(string client, params string[] more)
    {
        Programs.RequireTree();
        return AgentCommand.Of(client, more);
    }
}
