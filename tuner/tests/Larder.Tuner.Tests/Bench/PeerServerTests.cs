using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Tests.Bench;

/// <summary>The servers of other libraries that the benchmark starts for a peer.</summary>
public sealed class PeerServerTests
{
    [Theory]
    [InlineData("garnet", "stackexchange-redis-garnet")]
    [InlineData("grpc-aspnetcore", "grpc-aspnetcore")]
    public async Task Peer_gets_hits_from_its_own_server(string peer, string client)
    {
        await using Backend server = await Backend.OfPeerAsync(Agents.OwnServer(peer)!);
        await using AgentProcess agent = await AgentProcess.StartAsync(Agents.OfPeer(peer));
        JsonObject opened = await agent.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = server.Endpoint });
        Assert.Equal(client, (string?)opened["client"]);
        JsonObject line = await agent.RequireAsync(
            new JsonObject
            {
                ["op"] = "load",
                ["callers"] = 20,
                ["seconds"] = 0.2,
                ["warmupSeconds"] = 0.1,
                ["workload"] = new JsonObject { ["name"] = "reference", ["preload"] = true },
            });
        Assert.Empty(line["errors"]!.AsObject());
        Assert.True((long)line["hits"]! > 0);
        Assert.Equal(0, (long)line["misses"]!);
    }

    [Fact]
    public void Other_peers_have_no_server_of_their_own() =>
        Assert.Equal(["garnet", "grpc-aspnetcore", Agents.Floor], Agents.Peers.Where(static peer => Agents.OwnServer(peer) is not null));
}
