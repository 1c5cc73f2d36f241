using System.Text.Json.Nodes;
using Larder.Tuner.Processes;

namespace Larder.Lab.Topics;

/// <summary>The result of one turn of one contender.</summary>
/// <param name="DeliveriesPerSecond">The deliveries per second of all subscribers together.</param>
/// <param name="P50Us">The median latency, in µs. The latency of a delivery is measured from the time at which its message was due.</param>
/// <param name="P99Us">The 99th percentile of the latency, in µs.</param>
/// <param name="P999Us">The 99.9th percentile of the latency, in µs.</param>
internal sealed record TopicRound(double DeliveriesPerSecond, double P50Us, double P99Us, double P999Us)
{
    /// <summary>Parses a response of the program.</summary>
    /// <exception cref="TunerException">Deliveries are missing, so the measurement is invalid.</exception>
    public static TopicRound From(string peer, JsonObject line)
    {
        long lost = (long?)line["missing"] ?? 0;
        long gaps = (long?)line["gaps"] ?? 0;
        return lost > 0 || gaps > 0
            ? throw new TunerException($"{peer}: {lost} deliveries are missing and {gaps} gaps were reported; pass a smaller --window or --fraction")
            : new TopicRound((double)line["deliveriesPerSecond"]!, (double)line["p50Us"]!, (double)line["p99Us"]!, (double)line["p999Us"]!);
    }
}
