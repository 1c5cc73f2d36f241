namespace Larder.Tuner.Tune;

/// <summary>
/// A step of the proof: calls due on a schedule at a share of the knee's throughput. <see cref="Measured"/>'s latency is what a user would feel, from when a
/// call was due; <see cref="Service"/> is from when it was really made, which hides the waiting before it.
/// </summary>
internal sealed record ProofStep
{
    /// <summary>Share of the knee's throughput, in %: 50, 70, 85, 95.</summary>
    public required double Percent { get; init; }

    /// <summary>Calls due a second.</summary>
    public required double IntendedPerSecond { get; init; }

    /// <summary>What was measured; its throughput is the rate that was reached.</summary>
    public required Measurement Measured { get; init; }

    /// <summary>Service time.</summary>
    public required LatencySummary Service { get; init; }

    /// <summary>Calls that were due and had found no free caller when the time was up.</summary>
    public long Unstarted { get; init; }

    /// <summary>What limits; null where nobody judged.</summary>
    public StepVerdict? Verdict { get; init; }
}
