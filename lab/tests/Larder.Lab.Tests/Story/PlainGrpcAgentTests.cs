using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Story;

/// <summary>Tests the agents of the plain gRPC libraries. The requests that open these agents contain more fields than the address of the server.</summary>
public sealed class PlainGrpcAgentTests
{
    [Theory]
    [InlineData("grpc-dotnet", """{"channels":0}""", """{"channels":101}""", """{"channels":1010}""")]
    [InlineData("grpcio", """{"channels":0}""", """{"channels":101}""", """{"channels":"two"}""", """{"subchannelPool":"both"}""")]
    [InlineData("grpc-js", """{"channels":0}""", """{"channels":101}""", """{"channels":1.5}""", """{"subchannelPool":true}""")]
    public async Task Open_rejects_invalid_channels_and_pools(string peer, params string[] wrong)
    {
        await using AgentProcess agent = await AgentProcess.StartAsync(Agents.OfPeer(peer));
        foreach (string fields in wrong)
        {
            var request = (JsonObject)JsonNode.Parse(fields)!;
            request["op"] = "open";
            request["endpoint"] = "127.0.0.1:1";
            JsonObject answer = await agent.AskAsync(request);
            Assert.Equal("error", (string?)answer["result"]);
            Assert.Equal("AgentError", (string?)answer["error"]!["code"]);
        }
    }

    [Theory]
    [InlineData("python")]
    [InlineData("node")]
    public async Task Agent_without_server_counts_every_call_as_a_hit(string client)
    {
        await using AgentProcess agent = await AgentProcess.StartAsync(LabAgents.OfNothing(client)!);
        await agent.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = "127.0.0.1:1" });
        JsonObject load = await agent.RequireAsync(
            new JsonObject
            {
                ["op"] = "load",
                ["callers"] = 10,
                ["seconds"] = 0.2,
                ["warmupSeconds"] = 0,
                ["openLoopRatePerSecond"] = 1_000,
            });
        Assert.True((long)load["requests"]! > 0);
        Assert.Empty(load["errors"]!.AsObject());
        Assert.Equal(0, (long)load["misses"]!);
    }
}
