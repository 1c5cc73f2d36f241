using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Processes;
using Larder.Tuner.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>
/// N1: a well-behaved client's p99 while attackers say random frames, and conversations with mistakes, to the server, over its p99 without them. Each round is
/// a lane without and one of each kind; and one beside the same attackers at another server of the machine, which tells how much of it is the processors that
/// they take here.
/// </summary>
internal sealed class FramesProof(NeighbourOptions options, Action<string> say)
{
    /// <summary>The most that attackers may do to p99 (<c>docs/faults.md</c> N1).</summary>
    private const double MostTimesNormal = 3;

    // What is said to the other server.
    private const string Elsewhere = "grammar";

    // What only the others are seen by is measured for this part of their time: medians of as many rounds need no more.
    private const double PartOfOthers = 1.0 / 3;

    // "sound" is what the others are made from: it shows that the grammar is a client's.
    private static readonly string[] s_kinds = ["random", "grammar", "sound"];

    /// <summary>Rounds of a transport, so that random and grammar-made frames together are said for so many minutes by all transports.</summary>
    public static int Rounds(double minutes, double laneSeconds, int transports) =>
        Math.Max(1, (int)Math.Ceiling(minutes * 60 / (laneSeconds * (s_kinds.Length - 1) * transports)));

    /// <summary>The result of one transport as Markdown, and whether every lane stayed within the bound.</summary>
    public async Task<(IReadOnlyList<string> Lines, bool Kept)> RunAsync(string transport)
    {
        ProgramCommand attackers = options.StandingBack(LabAgents.OfNeighbour("flooder"));
        await using NeighbourStand stand = await NeighbourStand.StartAsync(options, transport, attackers).ConfigureAwait(false);
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
            NeighbourTable.OfFrames(transport, options, normal, elsewhere, lanes, MostTimesNormal),
            normal.Errors == 0
                && lanes.All(lane => lane.P99Us <= MostTimesNormal * normal.P99Us && lane.Errors == 0 && None(lane, "unclosed"))
                && None(lanes[^1], "goodbyes"));
    }

    private static bool None(NeighbourLane lane, string what) => lane.NeighbourSaid.All(said => (long)said[what]! == 0);
}
