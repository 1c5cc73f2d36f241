using Larder.Report.Runs;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Neighbours;

/// <summary>Formats the measurements with neighbours as Markdown.</summary>
internal static class NeighbourTable
{
    /// <summary>Compares the flood lanes with the normal lane, for one transport.</summary>
    public static IReadOnlyList<string> OfFloods(
        string transport,
        NeighbourOptions options,
        NeighbourLane normal,
        IReadOnlyList<NeighbourLane> floods,
        double bound) =>
    [
        .. Heading(transport, options, "N1, floods"),
        Say($"- {options.Attackers} attackers in one process ({options.Standing}), each with one connection that is reopened as soon as it is closed"),
        "",
        "| flood | small calls/s | p50 µs | p99 µs | p99 range µs | p99 ÷ p99 of none | errors | connections/s | frames/s | longest connection ms "
            + "| client CPU | server CPU | attackers CPU |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        Say($"| none | {Small(normal)} | | {normal.Errors} | | | | {Cpu(normal)} |"),
        .. floods.Select(flood =>
            Say(
                $"| {flood.Name} | {Small(flood)} | **{flood.P99Us / normal.P99Us:F2}** | {flood.Errors} | {PerSecond(flood, "connections", options)} | ",
                $"{PerSecond(flood, "frames", options)} | {flood.NeighbourSaid.Max(said => (double)said["longestMs"]!):N0} | {Cpu(flood)} |")),
        "",
        Say($"Goal: p99 at most {bound} times the p99 without a flood. {Others([.. floods, normal], options)}"),
        "",
    ];

    /// <summary>
    /// For one transport, compares each random-frames lane with two other lanes: the normal lane, and the lane whose attackers attack another server.
    /// </summary>
    public static IReadOnlyList<string> OfFrames(
        string transport,
        NeighbourOptions options,
        NeighbourLane normal,
        NeighbourLane elsewhere,
        IReadOnlyList<NeighbourLane> lanes,
        double bound) =>
    [
        .. Heading(transport, options, Say($"N1, random frames, seed {options.Seed}")),
        Say($"- {options.Attackers} attackers in one process ({options.Standing}), each with one connection at a time, on which it sends generated frames;"),
        Say($"  they open {options.ConnectionsPerSecond:N0} connections per second in total, each after the server has closed the previous one"),
        "- unclosed: connections that were still open after 20 s, because the server did not close them",
        "- elsewhere: the same attackers attack another server on this machine",
        "- sound: the attackers send only valid frames",
        "- the rows `none`, `elsewhere` and `sound` are each measured for a third of a round",
        "",
        "| frames | small calls/s | p50 µs | p99 µs | p99 range µs | p99 ÷ p99 of none | p99 ÷ p99 of elsewhere | errors | connections | frames "
            + "| calls answered | streams reset | GOAWAY frames | unclosed | client CPU | server CPU | attackers CPU |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        Say($"| none | {Small(normal)} | | | {normal.Errors} | | | | | | | {Cpu(normal)} |"),
        .. lanes.Prepend(elsewhere).Select(lane =>
            Say(
                $"| {lane.Name} | {Small(lane)} | **{lane.P99Us / normal.P99Us:F2}** | {lane.P99Us / elsewhere.P99Us:F2} | {lane.Errors} | ",
                $"{Sum(lane, "connections")} | {Sum(lane, "frames")} | {Sum(lane, "answered")} | {Sum(lane, "resets")} | {Sum(lane, "goodbyes")} | ",
                $"{Sum(lane, "unclosed")} | {Cpu(lane)} |")),
        "",
        Say(
            $"Goals: p99 at most {bound} times the p99 without attackers, no errors, no unclosed connections, no GOAWAY after valid frames. ",
            $"{Others([.. lanes, elsewhere, normal], options)}"),
        "",
    ];

    /// <summary>Compares the wrong-token lanes with the normal lane, for one transport.</summary>
    public static IReadOnlyList<string> OfTokens(
        string transport,
        NeighbourOptions options,
        NeighbourLane normal,
        IReadOnlyList<NeighbourLane> lanes,
        double bound) =>
    [
        .. Heading(transport, options, Say($"A1, {options.GuessesPerSecond:N0} wrong tokens per second")),
        Say($"- {options.Attackers} connections of one process ({options.Standing}); the server has a token file"),
        "",
        "| wrong tokens | small calls/s | p50 µs | p99 µs | p99 range µs | p99 ÷ p99 of none | errors | sent/s | answered/s | client CPU | server CPU "
            + "| attackers CPU |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|",
        Say($"| none | {Small(normal)} | | {normal.Errors} | | | {Cpu(normal)} |"),
        .. lanes.Select(lane =>
            Say(
                $"| {lane.Name} | {Small(lane)} | **{lane.P99Us / normal.P99Us:F2}** | {lane.Errors} | {PerSecond(lane, "sent", options)} | ",
                $"{PerSecond(lane, "answered", options)} | {Cpu(lane)} |")),
        "",
        Say($"Goal: p99 at most {bound} times the p99 without wrong tokens. {Others([.. lanes, normal], options)}"),
        "",
    ];

    /// <summary>Compares the handshake lane with the normal lane, for one transport.</summary>
    public static IReadOnlyList<string> OfHandshakes(string transport, NeighbourOptions options, NeighbourLane normal, NeighbourLane beside, double bound) =>
    [
        .. Heading(transport, options, Say($"{options.HandshakesPerSecond:N0} full TLS handshakes per second")),
        Say($"- the measured client also uses TLS; one process makes the handshakes ({options.Standing}), with ECDSA P-256 and without session resumption"),
        "",
        "| handshakes | small calls/s | p50 µs | p99 µs | p99 range µs | p99.9 µs | p99.9 ÷ p99.9 of none | errors | completed/s | failed/s | client CPU "
            + "| server CPU | other process CPU |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        Say($"| {normal.Name} | {Small(normal)} | {normal.P999Us:N0} | | {normal.Errors} | | | {Cpu(normal)} |"),
        Say(
            $"| {beside.Name} | {Small(beside)} | {beside.P999Us:N0} | **{beside.P999Us / normal.P999Us:F2}** | {beside.Errors} | ",
            $"{PerSecond(beside, "made", options)} | {PerSecond(beside, "failed", options)} | {Cpu(beside)} |"),
        "",
        Say($"Goal: p99.9 at most {bound} times the p99.9 without handshakes. {Others([beside, normal], options)}"),
        "",
    ];

    /// <summary>Compares the three lanes of the measurement with large values, for one transport.</summary>
    public static IReadOnlyList<string> OfLarge(
        string transport,
        NeighbourOptions options,
        NeighbourLane same,
        NeighbourLane other,
        NeighbourLane nobody,
        double bound) =>
    [
        .. Heading(transport, options, "N10, one 5 MB value written and read per second"),
        "",
        "| large values by | small calls/s | p50 µs | p99 µs | p99 range µs | errors | large values | slowest write and read ms | client CPU | server CPU "
            + "| other process CPU |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|",
        .. new[] { nobody, other, same }.Select(lane =>
            Say(
                $"| {lane.Name} | {Small(lane)} | {lane.Errors} | {lane.NeighbourSaid.Sum(said => (int)said["count"]!)} | ",
                $"{lane.NeighbourSaid.Select(said => (double)said["slowestMs"]!).DefaultIfEmpty().Max():N0} | {Cpu(lane)} |")),
        "",
        Say(
            $"p99 with the same client divided by p99 with another process: **{same.P99Us / other.P99Us:F2}** (goal: at most {bound}). ",
            $"{Others([same, other, nobody], options)}"),
        "",
    ];

    private static string[] Heading(string transport, NeighbourOptions options, string title) =>
    [
        $"## {title}: {transport}",
        "",
        Say(
            $"- .NET client, {transport}, open loop at {options.RatePerSecond:N0} calls per second, 100-byte values, half gets; medians of {options.Rounds} ",
            $"alternating rounds of {options.Seconds} s"),
    ];

    private static string Others(NeighbourLane[] lanes, NeighbourOptions options) =>
        Say(
            $"Other programs and the host used at most {lanes.Max(lane => lane.OthersCpu):F2} processors in a counted round; ",
            $"{lanes.Sum(lane => lane.Repeats)} rounds with more than {options.NoiseLimit:F2} were repeated.");

    private static string Small(NeighbourLane lane) =>
        Say($"{lane.RequestsPerSecond:N0} | {lane.P50Us:N0} | {lane.P99Us:N0} | {lane.P99Range.Low:N0} to {lane.P99Range.High:N0}");

    private static string Sum(NeighbourLane lane, string what) => Say($"{lane.NeighbourSaid.Sum(said => (long)said[what]!):N0}");

    private static string Cpu(NeighbourLane lane) => Say($"{lane.Cpu.Client:F2} | {lane.Cpu.Server:F2} | {lane.Cpu.Neighbour:F2}");

    // The counts of the neighbour include the warm-up and the measured time.
    private static string PerSecond(NeighbourLane lane, string what, NeighbourOptions options) =>
        Say($"{Median.Of(lane.NeighbourSaid.Select(said => (double)said[what]! / (options.Seconds + NeighbourTestBed.WarmupSeconds))):N0}");
}
