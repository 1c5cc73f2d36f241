using System.Text.Json.Nodes;
using Larder.Tuner.Processes;

namespace Larder.Lab.Topics;

/// <summary>One turn of one contender.</summary>
/// <param name="DeliveriesPerSecond">What subscribers were given in a second, all together.</param>
/// <param name="P50Us">From when a message was due to a subscriber, in µs.</param>
/// <param name="P99Us">The same, 99 of 100.</param>
/// <param name="P999Us">The same, 999 of 1,000.</param>
internal sealed record TopicRound(double DeliveriesPerSecond, double P50Us, double P99Us, double P999Us)
{
    /// <summary>Reads an answer.</summary>
    /// <exception cref="TunerException">Deliveries are missing: what was measured is not what was asked for.</exception>
    public static TopicRound From(string peer, JsonObject line)
    {
        long lost = (long?)line["missing"] ?? 0;
        long gaps = (long?)line["gaps"] ?? 0;
        return lost > 0 || gaps > 0
            ? throw new TunerException($"{peer}: {lost} deliveries are missing and {gaps} gaps were told; give a smaller --window or --fraction")
            : new TopicRound((double)line["deliveriesPerSecond"]!, (double)line["p50Us"]!, (double)line["p99Us"]!, (double)line["p999Us"]!);
    }
}
