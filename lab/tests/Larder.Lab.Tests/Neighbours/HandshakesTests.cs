using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Harness.Servers;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Neighbours;

public sealed class HandshakesTests
{
    [Fact]
    public async Task Handshakes_succeed_with_TLS_server_and_fail_after_it_stops()
    {
        using var files = new CertificateFiles();
        Backend server = await Backend.LarderAsync(files);
        await using AgentProcess agent = await AgentProcess.StartAsync(LabAgents.OfHandshakes());
        await agent.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = server.Endpoint, ["caFile"] = files.Certificate });
        JsonObject said = await ShakeAsync(agent, said => (long)said["made"]! > 0);
        Assert.Equal(0, (long)said["failed"]!);
        await server.DisposeAsync();
        said = await ShakeAsync(agent, said => (long)said["failed"]! > 0);
        Assert.Equal(0, (long)said["made"]!);
    }

    // Repeats until the condition holds, because a busy machine completes few handshakes in a short time.
    private static async Task<JsonObject> ShakeAsync(AgentProcess agent, Func<JsonObject, bool> isSo)
    {
        while (true)
        {
            await agent.RequireAsync(new JsonObject { ["op"] = "shakeBegin", ["rate"] = 200 });
            await Task.Delay(50);
            JsonObject said = await agent.RequireAsync(new JsonObject { ["op"] = "shakeEnd" });
            if (isSo(said))
            {
                return said;
            }
        }
    }
}
