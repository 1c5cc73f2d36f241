using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using Larder.Harness.Processes;
using Larder.Tuner.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>
/// A1: measures the p99 of a well-behaved client while another process makes calls with wrong tokens. Compares it with the p99 without these guesses. The
/// guesses come from another address, or from the client's address. The client's connections are already authenticated (AUTH-16). Lanes with and without
/// guesses alternate.
/// </summary>
internal sealed class TokenProof(NeighbourOptions options, Action<string> say)
{
    /// <summary>The maximum ratio of p99 with guesses to p99 without guesses (<c>docs/faults.md</c> A1).</summary>
    private const double MaxSlowdown = 1.5;

    private static readonly (string Name, string From)[] s_kinds = [("from another address", "127.0.0.2"), ("from the client's address", "127.0.0.1")];

    /// <summary>
    /// Returns the result of one transport as Markdown, and whether all requirements were met: the p99 with guesses is within the maximum ratio, and no call
    /// failed.
    /// </summary>
    public async Task<(IReadOnlyList<string> Lines, bool Kept)> RunAsync(string transport)
    {
        ProgramCommand guesser = options.StandingBack(LabAgents.OfNeighbour("guesser"));
        string token = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(32));
        string digest = Convert.ToHexStringLower(SHA256.HashData(Encoding.ASCII.GetBytes(token)));
        string file = Path.GetTempFileName();
        string grant = """{"role": "readwrite", "cache": "*"}""";
        await File.WriteAllTextAsync(file, $$"""{"tokens": [{"id": "measured", "sha256": ["{{digest}}"], "grants": [{{grant}}]}]}""").ConfigureAwait(false);
        try
        {
            await using NeighbourTestBed stand = await NeighbourTestBed.StartAsync(options, transport, guesser, token, "--tokens", file).ConfigureAwait(false);
            var normal = new NeighbourLane("normal");
            NeighbourLane[] lanes = [.. s_kinds.Select(kind => new NeighbourLane(kind.Name))];
            for (int round = 0; round <= options.Rounds; round++)
            {
                foreach ((NeighbourLane lane, string from) in lanes.Zip(s_kinds.Select(kind => kind.From)))
                {
                    await RunRoundAsync(stand, transport, round, normal, lane, from).ConfigureAwait(false);
                }
            }

            return (
                NeighbourTable.OfTokens(transport, options, normal, lanes, MaxSlowdown),
                lanes.All(lane => lane.P99Us <= MaxSlowdown * normal.P99Us && lane.Errors == 0));
        }
        finally
        {
            File.Delete(file);
        }
    }

    private async Task RunRoundAsync(NeighbourTestBed stand, string transport, int round, NeighbourLane normal, NeighbourLane lane, string from)
    {
        NeighbourRound quiet = await stand.RunAsync(null, null, null).ConfigureAwait(false);
        var begin = new JsonObject { ["op"] = "guessBegin", ["from"] = from, ["rate"] = options.GuessesPerSecond, ["connections"] = options.Attackers };
        NeighbourRound guessed = await stand.RunAsync(stand.Neighbour, begin, "guessEnd").ConfigureAwait(false);
        say(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{transport}, {(round == 0 ? "warm-up" : $"round {round}")}, {lane.Name}: p99 {guessed.Small.Histogram.QuantileUs(0.99):N0} µs, "
                    + $"without {quiet.Small.Histogram.QuantileUs(0.99):N0} µs; "
                    + $"{guessed.NeighbourSaid!["sent"]} sent, {guessed.NeighbourSaid!["answered"]} answered"));
        if (round > 0)
        {
            normal.Add(quiet);
            lane.Add(guessed);
        }
    }
}
