using System.Text.Json.Nodes;
using Larder.Conformance.Hostile;
using Larder.Harness.Agents;
using Larder.Harness.Processes;
using Larder.Harness.Servers;

namespace Larder.Conformance.Tests.Hostile;

/// <summary>Tests clients with servers that send random messages. The same client process also uses a good server.</summary>
public sealed class HostileTalkTests
{
    private const int Seed = 20_261_126;
    private const int GoodDeadlineMs = 20_000;
    private static readonly string[] s_transports = ["pipeline", "unary"];

    public static TheoryData<string> Clients => ["dotnet", "python", "node"];

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task Client_accepts_valid_responses_of_the_hostile_server(string client)
    {
        await using AgentProcess agent = await AgentProcess.StartAsync(AgentCommand.Of(client), Run.Patience);
        foreach (string transport in s_transports)
        {
            HostileMode sound = client == "python" ? MalformedExchange.SoundWithoutPadding : MalformedExchange.Sound;
            await using var server = new HostileServer(sound, transport == "pipeline", Seed);
            for (int session = 0; session < 10; session++)
            {
                string[] answers = await HostileCalls.OfClientAsync(agent, server, transport, "sound", GoodDeadlineMs);
                Assert.Equal(["hit", "hit"], answers.Take(2));
                Assert.Equal(["hit", "hit"], answers.TakeLast(2));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task N12_Hostile_server_does_not_affect_other_clients_in_same_process(string client)
    {
        await using ServerProcess good = await ServerProcess.StartAsync(new ServerProcessOptions { Memory = null });
        await using AgentProcess agent = await AgentProcess.StartAsync(AgentCommand.Of(client), Run.Patience);
        JsonObject opened = await agent.RequireAsync(new JsonObject
        {
            ["op"] = "open",
            ["endpoint"] = good.Endpoint.Authority,
            ["transport"] = "pipeline",
            ["requestTimeoutMs"] = GoodDeadlineMs,
        });
        var memory = new PeakMemory(opened["pid"]!.GetValue<int>());
        foreach (HostileMode mode in (HostileMode[])[MalformedExchange.AtRandom, MalformedExchange.Grammar])
        {
            await using var sessions = new HostileSessions(agent, mode, s_transports, Seed);
            Task<JsonObject> load = agent.RequireAsync(new JsonObject
            {
                ["op"] = "load",
                ["callers"] = 20,
                ["seconds"] = 1,
                ["progress"] = false,
                ["verify"] = true,
                ["openLoopRatePerSecond"] = 200,
                ["workload"] = new JsonObject { ["name"] = "reference", ["keys"] = 100 },
            });
            await sessions.RunAsync(() => load.IsCompleted && sessions.Clients > 1);
            Assert.Empty(sessions.Broken);
            JsonObject said = await load;
            Assert.Equal(0, said["errors"]!.AsObject().Sum(error => (long)error.Value!) + (long)said["crossed"]!);
        }

        Assert.InRange(memory.GrownBytes(), 0, HostileCalls.MaxBytes);
    }
}
