using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Tests.Bench;

public sealed class FloorTests
{
    [Fact]
    public async Task Calls_to_floor_server_succeed_until_it_stops()
    {
        await using Backend server = await Backend.OfPeerAsync(Agents.OwnServer(Agents.Floor)!);
        await using AgentProcess agent = await AgentProcess.StartAsync(Agents.OfPeer("floor"));
        await agent.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = server.Endpoint });
        JsonObject load = new() { ["op"] = "load", ["callers"] = 20, ["seconds"] = 0.2, ["warmupSeconds"] = 0.1 };
        JsonObject line = await agent.RequireAsync(load.DeepClone().AsObject());
        Assert.InRange((long)line["requests"]!, 100, long.MaxValue);
        Assert.Equal((long)line["reads"]!, (long)line["hits"]!);
        Assert.Empty(line["errors"]!.AsObject());
        await server.DisposeAsync();
        load["workload"] = new JsonObject { ["name"] = "reference", ["preload"] = false };
        line = await agent.RequireAsync(load);
        Assert.InRange((long)line["errors"]!["Closed"]!, 1, long.MaxValue);
    }
}
