using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>
/// N10: measures the small calls of a busy client while one value of 5 MB per second is written and read. Alternates between large values of the same client,
/// large values of another process, and no large values.
/// </summary>
internal sealed class LargeProof(NeighbourOptions options, Action<string> say)
{
    /// <summary>
    /// The maximum ratio of p99 with large values of the same client to p99 with large values of another process (<c>docs/faults.md</c> N10).
    /// </summary>
    private const double MaxSlowdownRatio = 1.5;

    /// <summary>
    /// Returns the result of one transport as Markdown, and whether all requirements were met: the p99 is within the maximum ratio, and no call failed.
    /// </summary>
    public async Task<(IReadOnlyList<string> Lines, bool Kept)> RunAsync(string transport)
    {
        await using NeighbourTestBed stand = await NeighbourTestBed.StartAsync(options, transport, LabAgents.OfNeighbour("large-values")).ConfigureAwait(false);
        var nobody = new NeighbourLane("none");
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
        return (NeighbourTable.OfLarge(transport, options, same, other, nobody, MaxSlowdownRatio), failed == 0 && same.P99Us <= MaxSlowdownRatio * other.P99Us);
    }
}
