using Larder.Agent;
using Larder.Tuner.Peers;
using Larder.Tuner.Peers.Floor;

// Starts a peer. A peer is an agent that supports open, load, stats and close (conformance/AGENT.md).
return args switch
{
    ["grpc-dotnet" or "grpc-aspnetcore"] => await AgentHost.RunAsync(args[0], request => GrpcDotnetPeer.OpenAsync(args[0], request)),
    ["redis"] => await RunRedisAsync("stackexchange-redis"),
    ["garnet"] => await RunRedisAsync("stackexchange-redis-garnet"),
    ["redis-cluster"] => await RunRedisAsync("stackexchange-redis-cluster"),
    ["floor"] => await AgentHost.RunAsync("floor", FloorClient.OpenAsync),
    ["floor-server"] => await FloorServer.RunUntilEndAsync(),
    _ => Usage(),
};

static Task<int> RunRedisAsync(string name) => AgentHost.RunAsync(name, request => RedisPeer.OpenAsync(name, request));

static int Usage()
{
    Console.Error.WriteLine(
        "usage: Larder.Tuner.Peers grpc-dotnet|grpc-aspnetcore|redis|garnet|redis-cluster|floor|floor-server (an agent that reads JSON lines on stdin; see "
            + "conformance/AGENT.md)");
    return 2;
}
