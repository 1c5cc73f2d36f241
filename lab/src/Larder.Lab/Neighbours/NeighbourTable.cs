using Larder.Report.Runs;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Neighbours;

/// <summary>Formats the measurements with neighbours as Markdown.</summary>
internal static class NeighbourTable
{
    /// <summary>Compares the floods of one transport with its normal lane.</summary>
    public static IReadOnlyList<string> OfFloods(
        string transport,
        NeighbourOptions options,
        NeighbourLane normal,
        IReadOnlyList<NeighbourLane> floods,
        double bound) =>
    [
        .. Heading(transport, options, "N1, floods"),
        Say(
            $"- {options.Attackers} attackers in a process of their own ({options.Standing}), each with one connection, which it reopens as ",
            $"soon as it is dropped"),
        "",
        "| flood | small calls/s | p50 µs | p99 µs | lowest and highest | p99 ÷ normal | errors | connections/s | frames/s | longest connection ms | CPU "
            + "client | server | attackers |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        Say($"| none (normal) | {Small(normal)} | | {normal.Errors} | | | | {Cpu(normal)} |"),
        .. floods.Select(flood =>
            Say(
                $"| {flood.Name} | {Small(flood)} | **{flood.P99Us / normal.P99Us:F2}** | {flood.Errors} | {PerSecond(flood, "connections", options)} | ",
                $"{PerSecond(flood, "frames", options)} | {flood.NeighbourSaid.Max(said => (double)said["longestMs"]!):N0} | {Cpu(flood)} |")),
        "",
        Say($"Asked: at most {bound} × normal. {Others([.. floods, normal], options)}"),
        "",
    ];

    /// <summary>
    /// Compares the lanes with random frames of one transport with its normal lane and with the lane whose attackers attack another server.
    /// </summary>
    public static IReadOnlyList<string> OfFrames(
        string transport,
        NeighbourOptions options,
        NeighbourLane normal,
        NeighbourLane elsewhere,
        IReadOnlyList<NeighbourLane> lanes,
        double bound) =>
    [
        .. Heading(transport, options, Say($"N1, frames that are drawn from seed {options.Seed}")),
        Say($"- {options.Attackers} attackers in a process of their own ({options.Standing}), each with one connection at a time: it says what is"),
        Say($"  drawn for it, and opens the next when the server has closed and it is due, at {options.ConnectionsPerSecond:N0} a second in all;"),
        "  unclosed: not closed by the server within 20 s of its end; elsewhere: what the same attackers cost when they talk to another server of this",
        "  machine; it, none and sound are measured for a third of a round",
        "",
        "| frames | small calls/s | p50 µs | p99 µs | lowest and highest | p99 ÷ none | ÷ elsewhere | errors | connections | frames | calls answered "
            + "| streams reset | goodbyes | unclosed | CPU client | server | attackers |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        Say($"| none | {Small(normal)} | | | {normal.Errors} | | | | | | | {Cpu(normal)} |"),
        .. lanes.Prepend(elsewhere).Select(lane =>
            Say(
                $"| {lane.Name} | {Small(lane)} | **{lane.P99Us / normal.P99Us:F2}** | {lane.P99Us / elsewhere.P99Us:F2} | {lane.Errors} | ",
                $"{Sum(lane, "connections")} | {Sum(lane, "frames")} | {Sum(lane, "answered")} | {Sum(lane, "resets")} | {Sum(lane, "goodbyes")} | ",
                $"{Sum(lane, "unclosed")} | {Cpu(lane)} |")),
        "",
        Say(
            $"Asked: at most {bound} × none, no error, no connection unclosed, no goodbye to sound frames. ",
            $"{Others([.. lanes, elsewhere, normal], options)}"),
        "",
    ];

    /// <summary>Compares the lanes with wrong tokens of one transport with its normal lane.</summary>
    public static IReadOnlyList<string> OfTokens(
        string transport,
        NeighbourOptions options,
        NeighbourLane normal,
        IReadOnlyList<NeighbourLane> lanes,
        double bound) =>
    [
        .. Heading(transport, options, Say($"A1, {options.GuessesPerSecond:N0} wrong tokens a second")),
        Say($"- {options.Attackers} connections of one process ({options.Standing}); the server has a file of tokens"),
        "",
        "| wrong tokens | small calls/s | p50 µs | p99 µs | lowest and highest | p99 ÷ normal | errors | sent/s | answered/s | CPU client | server "
            + "| attackers |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|",
        Say($"| none (normal) | {Small(normal)} | | {normal.Errors} | | | {Cpu(normal)} |"),
        .. lanes.Select(lane =>
            Say(
                $"| {lane.Name} | {Small(lane)} | **{lane.P99Us / normal.P99Us:F2}** | {lane.Errors} | {PerSecond(lane, "sent", options)} | ",
                $"{PerSecond(lane, "answered", options)} | {Cpu(lane)} |")),
        "",
        Say($"Asked: at most {bound} × normal. {Others([.. lanes, normal], options)}"),
        "",
    ];

    /// <summary>Compares the lane with handshakes of one transport with its normal lane.</summary>
    public static IReadOnlyList<string> OfHandshakes(string transport, NeighbourOptions options, NeighbourLane normal, NeighbourLane beside, double bound) =>
    [
        .. Heading(transport, options, Say($"{options.HandshakesPerSecond:N0} connections with whole TLS handshakes a second")),
        Say($"- the measured client is over TLS too; the connections are of one process ({options.Standing}), ECDSA on P-256, none resumed"),
        "",
        "| handshakes | small calls/s | p50 µs | p99 µs | lowest and highest | p99.9 µs | p99.9 ÷ normal | errors | made/s | failed/s | CPU client | server | "
            + "the others |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        Say($"| {normal.Name} | {Small(normal)} | {normal.P999Us:N0} | | {normal.Errors} | | | {Cpu(normal)} |"),
        Say(
            $"| {beside.Name} | {Small(beside)} | {beside.P999Us:N0} | **{beside.P999Us / normal.P999Us:F2}** | {beside.Errors} | ",
            $"{PerSecond(beside, "made", options)} | {PerSecond(beside, "failed", options)} | {Cpu(beside)} |"),
        "",
        Say($"Asked: at most {bound} × normal. {Others([beside, normal], options)}"),
        "",
    ];

    /// <summary>Compares the three lanes with large values of one transport.</summary>
    public static IReadOnlyList<string> OfLarge(
        string transport,
        NeighbourOptions options,
        NeighbourLane same,
        NeighbourLane other,
        NeighbourLane nobody,
        double bound) =>
    [
        .. Heading(transport, options, "N10, one value of 5 MB a second, written and read"),
        "",
        "| large values by | small calls/s | p50 µs | p99 µs | lowest and highest | errors | large values | slowest write and read ms | CPU client | server "
            + "| other process |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|",
        .. new[] { nobody, other, same }.Select(lane =>
            Say(
                $"| {lane.Name} | {Small(lane)} | {lane.Errors} | {lane.NeighbourSaid.Sum(said => (int)said["count"]!)} | ",
                $"{lane.NeighbourSaid.Select(said => (double)said["slowestMs"]!).DefaultIfEmpty().Max():N0} | {Cpu(lane)} |")),
        "",
        Say(
            $"p99, the same client ÷ another process: **{same.P99Us / other.P99Us:F2}** (asked: at most {bound}). ",
            $"{Others([same, other, nobody], options)}"),
        "",
    ];

    private static string[] Heading(string transport, NeighbourOptions options, string title) =>
    [
        $"## {title}: {transport}",
        "",
        Say(
            $"- .NET client, {transport}, open loop at {options.RatePerSecond:N0} calls a second, 100-byte values, half gets; medians of {options.Rounds} ",
            $"alternating rounds of {options.Seconds} s"),
    ];

    private static string Others(NeighbourLane[] lanes, NeighbourOptions options) =>
        Say(
            $"Other programs and the host took at most {lanes.Max(lane => lane.OthersCpu):F2} processors in a round that counts; ",
            $"{lanes.Sum(lane => lane.Repeats)} with more than {options.NoiseLimit:F2} were run anew.");

    private static string Small(NeighbourLane lane) =>
        Say($"{lane.RequestsPerSecond:N0} | {lane.P50Us:N0} | {lane.P99Us:N0} | {lane.P99Range.Low:N0} to {lane.P99Range.High:N0}");

    private static string Sum(NeighbourLane lane, string what) => Say($"{lane.NeighbourSaid.Sum(said => (long)said[what]!):N0}");

    private static string Cpu(NeighbourLane lane) => Say($"{lane.Cpu.Client:F2} | {lane.Cpu.Server:F2} | {lane.Cpu.Neighbour:F2}");

    // The neighbour counts from the start of the warm-up to the end of the measured time.
    private static string PerSecond(NeighbourLane lane, string what, NeighbourOptions options) =>
        Say($"{Median.Of(lane.NeighbourSaid.Select(said => (double)said[what]! / (options.Seconds + NeighbourTestBed.WarmupSeconds))):N0}");
}
