using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Processes;
using Larder.Tuner.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>
/// N1: measures the p99 of a well-behaved client while attackers in another process flood the server with frames, and compares it with the p99 without
/// attackers. Measurements with and without a flood alternate.
/// </summary>
internal sealed class FloodProof(NeighbourOptions options, Action<string> say)
{
    /// <summary>The maximum ratio of p99 with a flood to p99 without a flood (<c>docs/faults.md</c> N1).</summary>
    private const double MaxSlowdown = 3;

    private static readonly string[] s_kinds = ["resets", "continuations", "settings", "pings"];

    /// <summary>
    /// Returns the result of one transport as Markdown, and whether all requirements were met: the p99 during each flood is within the maximum ratio, and no
    /// call failed.
    /// </summary>
    public async Task<(IReadOnlyList<string> Lines, bool Kept)> RunAsync(string transport)
    {
        ProgramCommand flooder = options.StandingBack(LabAgents.OfNeighbour("flooder"));
        await using NeighbourTestBed stand = await NeighbourTestBed.StartAsync(options, transport, flooder).ConfigureAwait(false);
        var normal = new NeighbourLane("normal");
        NeighbourLane[] floods = s_kinds.Select(kind => new NeighbourLane(kind)).ToArray();
        for (int round = 0; round <= options.Rounds; round++)
        {
            foreach (NeighbourLane? flood in floods)
            {
                NeighbourRound quiet = await stand.RunAsync(null, null, null).ConfigureAwait(false);
                var begin = new JsonObject { ["op"] = "floodBegin", ["kind"] = flood.Name, ["attackers"] = options.Attackers };
                NeighbourRound flooded = await stand.RunAsync(stand.Neighbour, begin, "floodEnd").ConfigureAwait(false);
                say(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{transport}, {(round == 0 ? "warm-up" : $"round {round}")}, {flood.Name}: p99 {flooded.Small.Histogram.QuantileUs(0.99):N0} µs, "
                            + $"without {quiet.Small.Histogram.QuantileUs(0.99):N0} µs; {flooded.NeighbourSaid!["connections"]} connections"));
                if (round > 0)
                {
                    normal.Add(quiet);
                    flood.Add(flooded);
                }
            }
        }

        return (
            NeighbourTable.OfFloods(transport, options, normal, floods, MaxSlowdown),
            floods.All(flood => flood.P99Us <= MaxSlowdown * normal.P99Us && flood.Errors == 0));
    }
}
