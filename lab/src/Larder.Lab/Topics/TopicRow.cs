using System.Globalization;
using Larder.Report.Runs;

namespace Larder.Lab.Topics;

/// <summary>The turns of one contender with one number of subscribers.</summary>
/// <param name="Peer">Who.</param>
/// <param name="Subscribers">Subscribers of the topic.</param>
/// <param name="Pumped">Turns of the closed loop.</param>
/// <param name="Rate">Messages a second at which it was timed.</param>
/// <param name="Paced">Turns at that rate.</param>
internal sealed record TopicRow(string Peer, int Subscribers, IReadOnlyList<TopicRound> Pumped, double Rate, IReadOnlyList<TopicRound> Paced)
{
    /// <summary>The head of a Markdown table.</summary>
    public static IReadOnlyList<string> Head =>
    [
        "| subscribers | | deliveries/s, highest | least | most | ours × | at messages/s | deliveries/s | p50 ms | p99 ms | p99.9 ms | least | most | ours × |",
        "|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ];

    /// <summary>Deliveries a second in the closed loop, the median of turns.</summary>
    public double Highest => Median.Of(Pumped.Select(static round => round.DeliveriesPerSecond));

    /// <summary>p99.9 at the rate, the median of turns, in µs.</summary>
    public double P999Us => Median.Of(Paced.Select(static round => round.P999Us));

    /// <summary>Messages a second at which all are timed: so much of the slowest's highest.</summary>
    public static double RateFor(IEnumerable<double> highest, int subscribers, double fraction) =>
        Math.Max(1, Math.Floor(highest.Min() / subscribers * fraction));

    /// <summary>The row of that table; what is ours is compared with each.</summary>
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
