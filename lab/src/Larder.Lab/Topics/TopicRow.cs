using System.Globalization;
using Larder.Report.Runs;

namespace Larder.Lab.Topics;

/// <summary>The results of one contender with one number of subscribers.</summary>
/// <param name="Peer">The name of the contender.</param>
/// <param name="Subscribers">The number of subscribers of the topic.</param>
/// <param name="Pumped">The turns of the closed loop.</param>
/// <param name="Rate">The messages per second of the open-loop turns.</param>
/// <param name="Paced">The turns of the open loop at <paramref name="Rate"/>.</param>
internal sealed record TopicRow(string Peer, int Subscribers, IReadOnlyList<TopicRound> Pumped, double Rate, IReadOnlyList<TopicRound> Paced)
{
    /// <summary>Gets the header of the Markdown table.</summary>
    public static IReadOnlyList<string> Head =>
    [
        "| subscribers | server | best deliveries/s | lowest | highest | Larder ÷ | messages/s | deliveries/s | p50 ms | p99 ms | p99.9 ms | lowest "
            + "| highest | Larder ÷ |",
        "|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ];

    /// <summary>Gets the median deliveries per second of the closed-loop turns.</summary>
    public double Highest => Median.Of(Pumped.Select(static round => round.DeliveriesPerSecond));

    /// <summary>Gets the median p99.9 of the open-loop turns, in µs.</summary>
    public double P999Us => Median.Of(Paced.Select(static round => round.P999Us));

    /// <summary>Returns the messages per second of the open-loop turns of all contenders: a share of the highest rate of the slowest contender.</summary>
    public static double RateFor(IEnumerable<double> highest, int subscribers, double fraction) =>
        Math.Max(1, Math.Floor(highest.Min() / subscribers * fraction));

    /// <summary>Returns the row of the table, with a comparison with Larder.</summary>
    public string Line(TopicRow ours) => string.Create(
        CultureInfo.InvariantCulture,
        $"| {Subscribers:N0} | {Peer} | {Highest:N0} | {Pumped.Min(static round => round.DeliveriesPerSecond):N0} "
            + $"| {Pumped.Max(static round => round.DeliveriesPerSecond):N0} | {(Peer == ours.Peer ? "" : $"{ours.Highest / Highest:0.00}")} | {Rate:N0} "
            + $"| {Median.Of(Paced.Select(static round => round.DeliveriesPerSecond)):N0} "
            + $"| {Ms(static round => round.P50Us)} | {Ms(static round => round.P99Us)} | {Ms(static round => round.P999Us)} "
            + $"| {Paced.Min(static round => round.P999Us) / 1_000:0.00} | {Paced.Max(static round => round.P999Us) / 1_000:0.00} "
            + $"| {(Peer == ours.Peer ? "" : $"{ours.P999Us / P999Us:0.00}")} |");

    private string Ms(Func<TopicRound, double> of) => (Median.Of(Paced.Select(of)) / 1_000).ToString("0.00", CultureInfo.InvariantCulture);
}
