using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Processes;
using Larder.Harness.Servers;
using Larder.Tuner.Processes;

namespace Larder.Lab.Neighbours;

/// <summary>
/// Measures the p99.9 of a busy client over TLS while another process opens connections with full handshakes, and compares it with the p99.9 without
/// handshakes. Rounds with and without handshakes alternate.
/// </summary>
internal sealed class HandshakeProof(NeighbourOptions options, Action<string> say)
{
    /// <summary>The maximum ratio of p99.9 with handshakes to p99.9 without handshakes.</summary>
    private const double MaxSlowdown = 2;

    /// <summary>
    /// Returns the result of one transport as Markdown, and whether all requirements were met: the p99.9 with handshakes is within the maximum ratio, and no
    /// call with handshakes failed.
    /// </summary>
    public async Task<(IReadOnlyList<string> Lines, bool Kept)> RunAsync(string transport)
    {
        using var files = new CertificateFiles();
        ProgramCommand shaker = options.StandingBack(LabAgents.OfHandshakes());
        await using NeighbourTestBed stand = await NeighbourTestBed.StartAsync(options, transport, shaker, files).ConfigureAwait(false);
        NeighbourLane normal = new("none"), beside = new("full handshakes");
        for (int round = 0; round <= options.Rounds; round++)
        {
            NeighbourRound quiet = await stand.RunAsync(null, null, null).ConfigureAwait(false);
            var begin = new JsonObject { ["op"] = "shakeBegin", ["rate"] = options.HandshakesPerSecond };
            NeighbourRound shaken = await stand.RunAsync(stand.Neighbour, begin, "shakeEnd").ConfigureAwait(false);
            say(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{transport}, {(round == 0 ? "warm-up" : $"round {round}")}: p99.9 {shaken.Small.Histogram.QuantileUs(0.999):N0} µs, "
                        + $"without {quiet.Small.Histogram.QuantileUs(0.999):N0} µs; {shaken.NeighbourSaid!["made"]} connections"));
            if (round > 0)
            {
                normal.Add(quiet);
                beside.Add(shaken);
            }
        }

        bool isKept = beside.P999Us <= MaxSlowdown * normal.P999Us && beside.Errors == 0;
        return (NeighbourTable.OfHandshakes(transport, options, normal, beside, MaxSlowdown), isKept);
    }
}
