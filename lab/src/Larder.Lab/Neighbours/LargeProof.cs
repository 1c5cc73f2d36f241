using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>
/// N10: small calls of a busy client while a value of 5 MB a second is written and read by the same client, by another process, and by nobody, in turn.
/// </summary>
internal sealed class LargeProof(NeighbourOptions options, Action<string> say)
{
    /// <summary>The most that the same client's large values may add to p99, over those of another process (<c>docs/faults.md</c> N10).</summary>
    private const double MostTimesOther = 1.5;

    /// <summary>The result of one transport as Markdown, and whether the bound was kept.</summary>
    public async Task<(IReadOnlyList<string> Lines, bool Kept)> RunAsync(string transport)
    {
        await using NeighbourStand stand = await NeighbourStand.StartAsync(options, transport, LabAgents.OfNeighbour("large-values")).ConfigureAwait(false);
        var nobody = new NeighbourLane("nobody");
        var same = new NeighbourLane("the same client");
        var other = new NeighbourLane("another process");
        (NeighbourLane Lane, AgentProcess? By)[] lanes = [(nobody, null), (same, stand.Client), (other, stand.Neighbour)];
        for (int round = 0; round <= options.Rounds; round++)
        {
            foreach ((NeighbourLane? lane, AgentProcess? by) in lanes)
            {
                NeighbourRound measured = await stand.RunAsync(by, new JsonObject { ["op"] = "largeBegin" }, "largeEnd").ConfigureAwait(false);
                say(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{transport}, {(round == 0 ? "warm-up" : $"round {round}")}, large values by {lane.Name}: p99 "
                            + $"{measured.Small.Histogram.QuantileUs(0.99):N0} µs"));
                if (round > 0)
                {
                    lane.Add(measured);
                }
            }
        }

        long failed = lanes.Sum(entry => entry.Lane.NeighbourSaid.Sum(said => (int)said["failures"]!) + entry.Lane.Errors);
        return (NeighbourTable.OfLarge(transport, options, same, other, nobody, MostTimesOther), failed == 0 && same.P99Us <= MostTimesOther * other.P99Us);
    }
}
