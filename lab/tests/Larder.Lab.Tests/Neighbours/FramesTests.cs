using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Lab.Neighbours;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Neighbours;

public sealed class FramesTests
{
    [Fact]
    public async Task What_grammar_made_frames_are_made_from_is_answered_by_the_server_and_it_says_goodbye_to_none()
    {
        await using Backend server = await Backend.LarderAsync();
        JsonObject said = await AttackAsync(server, "sound", said => (long)said["connections"]! >= 50);
        Assert.Equal(0, (long)said["goodbyes"]!);
        Assert.InRange((long)said["answered"]!, 50, long.MaxValue);
    }

    [Theory]
    [InlineData("random")]
    [InlineData("grammar")]
    public async Task A_server_says_goodbye_to_drawn_frames_and_closes_each_connection(string kind)
    {
        await using Backend server = await Backend.LarderAsync();
        JsonObject said = await AttackAsync(server, kind, said => (long)said["goodbyes"]! > 0);
        Assert.Equal(0, (long)said["unclosed"]!);
    }

    [Fact]
    public async Task Attackers_open_no_more_connections_than_they_are_told_to()
    {
        await using Backend server = await Backend.LarderAsync();
        double seconds = 0;
        JsonObject said = await AttackAsync(server, "sound", said => (long)said["connections"]! >= 10, rate: 20, within: elapsed => seconds = elapsed);
        Assert.InRange((long)said["connections"]!, 10, 2 + (20 * seconds));
    }

    [Fact]
    public void Minutes_are_the_time_of_random_and_grammar_made_frames_over_all_transports() =>
        Assert.Equal((25, 50, 1), (FramesProof.Rounds(10, 6, 2), FramesProof.Rounds(10, 6, 1), FramesProof.Rounds(0.01, 6, 2)));

    // Repeats for longer times until the result is sufficient, because a busy machine does little in a short time. The seed makes every attempt use the same
    // connections.
    private static async Task<JsonObject> AttackAsync(
        Backend server, string kind, Func<JsonObject, bool> isEnough, double rate = 1_000, Action<double>? within = null)
    {
        await using AgentProcess attackers = await AgentProcess.StartAsync(LabAgents.OfNeighbour("flooder"));
        await attackers.DemandAsync(new JsonObject { ["op"] = "open", ["endpoint"] = server.Endpoint });
        for (int lookMs = 100; ; lookMs *= 2)
        {
            var begin = new JsonObject { ["op"] = "floodBegin", ["kind"] = kind, ["attackers"] = 2, ["seed"] = 7, ["rate"] = rate };
            long begun = Stopwatch.GetTimestamp();
            await attackers.DemandAsync(begin);
            await Task.Delay(lookMs);
            JsonObject said = await attackers.DemandAsync(new JsonObject { ["op"] = "floodEnd" });
            within?.Invoke(Stopwatch.GetElapsedTime(begun).TotalSeconds);
            if (isEnough(said))
            {
                return said;
            }
        }
    }
}
