using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Lab.Neighbours;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Neighbours;

public sealed class FramesTests
{
    [Fact]
    public async Task Server_accepts_valid_frames_without_sending_GOAWAY()
    {
        await using Backend server = await Backend.LarderAsync();
        JsonObject said = await AttackAsync(server, "sound", said => (long)said["connections"]! >= 50);
        Assert.Equal(0, (long)said["goodbyes"]!);
        Assert.InRange((long)said["answered"]!, 50, long.MaxValue);
    }

    [Theory]
    [InlineData("random")]
    [InlineData("grammar")]
    public async Task Server_responds_to_random_frames_with_GOAWAY_and_closes_connections(string kind)
    {
        await using Backend server = await Backend.LarderAsync();
        JsonObject said = await AttackAsync(server, kind, said => (long)said["goodbyes"]! > 0);
        Assert.Equal(0, (long)said["unclosed"]!);
    }

    [Fact]
    public async Task Attackers_open_connections_at_most_at_configured_rate()
    {
        await using Backend server = await Backend.LarderAsync();
        double seconds = 0;
        JsonObject said = await AttackAsync(server, "sound", said => (long)said["connections"]! >= 10, rate: 20, within: elapsed => seconds = elapsed);
        Assert.InRange((long)said["connections"]!, 10, 2 + (20 * seconds));
    }

    [Fact]
    public void Rounds_divides_minutes_over_frame_kinds_and_transports() =>
        Assert.Equal((25, 50, 1), (FramesProof.Rounds(10, 6, 2), FramesProof.Rounds(10, 6, 1), FramesProof.Rounds(0.01, 6, 2)));

    // Repeats the attack with longer durations until the result is sufficient, because a busy machine opens few connections in a short time. The seed is always
    // the same, so every attempt sends the same frames.
    private static async Task<JsonObject> AttackAsync(
        Backend server, string kind, Func<JsonObject, bool> isEnough, double rate = 1_000, Action<double>? within = null)
    {
        await using AgentProcess attackers = await AgentProcess.StartAsync(LabAgents.OfNeighbour("flooder"));
        await attackers.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = server.Endpoint });
        for (int lookMs = 100; ; lookMs *= 2)
        {
            var begin = new JsonObject { ["op"] = "floodBegin", ["kind"] = kind, ["attackers"] = 2, ["seed"] = 7, ["rate"] = rate };
            long begun = Stopwatch.GetTimestamp();
            await attackers.RequireAsync(begin);
            await Task.Delay(lookMs);
            JsonObject said = await attackers.RequireAsync(new JsonObject { ["op"] = "floodEnd" });
            within?.Invoke(Stopwatch.GetElapsedTime(begun).TotalSeconds);
            if (isEnough(said))
            {
                return said;
            }
        }
    }
}
