using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Processes;
using Larder.Tuner.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>
/// N1: measures the p99 of a well-behaved client while attackers send random frames and mutated conversations to the server. Compares it with the p99 without
/// attackers. Each round has one lane without attackers, one lane for each kind of frames, and one lane in which the attackers attack a different server on
/// this machine. The last lane shows how much of the effect is due to the CPU time of the attackers.
/// </summary>
internal sealed class FramesProof(NeighbourOptions options, Action<string> say)
{
    /// <summary>The maximum ratio of p99 with attackers to p99 without attackers (<c>docs/faults.md</c> N1).</summary>
    private const double MaxSlowdown = 3;

    // The kind of frames that are sent to the different server.
    private const string Elsewhere = "grammar";

    // The measured time of the lanes that only serve as a reference, as a share of the time of the other lanes. A third is enough, because medians over the
    // same number of rounds are compared.
    private const double PartOfOthers = 1.0 / 3;

    // "sound" frames are "grammar" frames without mutations. Their results show whether the generated frames are those of a valid client.
    private static readonly string[] s_kinds = ["random", "grammar", "sound"];

    /// <summary>
    /// Returns the number of rounds of a transport. It is chosen so that the lanes with "random" and "grammar" frames of all transports take the requested
    /// minutes in total.
    /// </summary>
    public static int Rounds(double minutes, double laneSeconds, int transports) =>
        Math.Max(1, (int)Math.Ceiling(minutes * 60 / (laneSeconds * (s_kinds.Length - 1) * transports)));

    /// <summary>
    /// Returns the result of one transport as Markdown, and whether all requirements were met. For every lane with attackers of the measured server, the p99
    /// must be within the maximum ratio, no small call may fail, and no connection may stay unclosed. The lane with "sound" frames must receive no GOAWAY.
    /// </summary>
    public async Task<(IReadOnlyList<string> Lines, bool Kept)> RunAsync(string transport)
    {
        ProgramCommand attackers = options.StandingBack(LabAgents.OfNeighbour("flooder"));
        await using NeighbourTestBed stand = await NeighbourTestBed.StartAsync(options, transport, attackers).ConfigureAwait(false);
        await using Backend other = await Backend.LarderAsync().ConfigureAwait(false);
        stand.Own(other.ProcessId!.Value);
        NeighbourLane normal = new("normal"), elsewhere = new($"{Elsewhere}, elsewhere");
        NeighbourLane[] lanes = s_kinds.Select(kind => new NeighbourLane(kind)).ToArray();
        for (int round = 0; round <= options.Rounds; round++)
        {
            NeighbourRound quiet = await stand.RunAsync(null, null, null, options.Seconds * PartOfOthers).ConfigureAwait(false);
            if (round > 0)
            {
                normal.Add(quiet);
            }

            foreach (NeighbourLane lane in lanes.Prepend(elsewhere))
            {
                var begin = new JsonObject
                {
                    ["op"] = "floodBegin",
                    ["endpoint"] = lane == elsewhere ? other.Endpoint : null,
                    ["kind"] = lane == elsewhere ? Elsewhere : lane.Name,
                    ["attackers"] = options.Attackers,
                    ["seed"] = options.Seed + round,
                    ["rate"] = options.ConnectionsPerSecond,
                };
                double seconds = options.Seconds * (lane == elsewhere || lane == lanes[^1] ? PartOfOthers : 1);
                NeighbourRound beside = await stand.RunAsync(stand.Neighbour, begin, "floodEnd", seconds).ConfigureAwait(false);
                say(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{transport}, {(round == 0 ? "warm-up" : $"round {round}")}, {lane.Name}: p99 {beside.Small.Histogram.QuantileUs(0.99):N0} µs, "
                            + $"without {quiet.Small.Histogram.QuantileUs(0.99):N0} µs; others {beside.OthersCpu:F2} and "
                            + $"{quiet.OthersCpu:F2}; {beside.NeighbourSaid!.ToJsonString()}"));
                if (round > 0)
                {
                    lane.Add(beside);
                }
            }
        }

        return (
            NeighbourTable.OfFrames(transport, options, normal, elsewhere, lanes, MaxSlowdown),
            normal.Errors == 0
                && lanes.All(lane => lane.P99Us <= MaxSlowdown * normal.P99Us && lane.Errors == 0 && None(lane, "unclosed"))
                && None(lanes[^1], "goodbyes"));
    }

    private static bool None(NeighbourLane lane, string what) => lane.NeighbourSaid.All(said => (long)said[what]! == 0);
}
