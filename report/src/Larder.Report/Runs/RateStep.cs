using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>
/// A step of the rate search: calls due on a schedule, at random intervals. <see cref="Measured"/>'s latency is what a user would feel, from when a call was
/// due; <see cref="Service"/> is from when it was really made, which hides the waiting before it.
/// </summary>
internal sealed record RateStep
{
    /// <summary>What it was for.</summary>
    public required RateStepKind Kind { get; init; }

    /// <summary>Calls due a second.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>The client's cap.</summary>
    public required int Cap { get; init; }

    /// <summary>1, or 2 where it was asked again because the first was disturbed.</summary>
    public int Attempt { get; init; } = 1;

    /// <summary>Of a confirmation: 1, and 2 after the first kept the target.</summary>
    public int Run { get; init; } = 1;

    /// <summary>What it was for, in a word or two.</summary>
    [JsonIgnore]
    public string Name => Kind.ToString().ToLowerInvariant() + (Run > 1 ? " twice" : "") + (Attempt > 1 ? " again" : "");

    /// <summary>What was measured; its throughput is the rate that was reached.</summary>
    public required Measurement Measured { get; init; }

    /// <summary>Service time.</summary>
    public required LatencySummary Service { get; init; }

    /// <summary>Of calls for which a caller was free when they were due, how late the generator made them; null where the agent does not tell.</summary>
    public LatencySummary? Late { get; init; }

    /// <summary>Calls that were due and had found no free caller when the time was up.</summary>
    public long Unstarted { get; init; }

    /// <summary>The target's percentile of all calls due, in µs, calls that failed or were not begun being the slowest; null where it is among those.</summary>
    public double? TargetUs { get; init; }

    /// <summary>The lower bound of its interval of 95 %.</summary>
    public double? LowUs { get; init; }

    /// <summary>The upper bound; null where the calls are too few to have one.</summary>
    public double? HighUs { get; init; }

    /// <summary>Why the target was not kept; null where it was.</summary>
    public string? Miss { get; init; }

    /// <summary>What limits where it was not kept; null where it was.</summary>
    public StepVerdict? Verdict { get; init; }

    /// <summary>Part of the target's tail that the machine's stalls may have made; null where nobody watched.</summary>
    public double? StallShareOfTail { get; init; }
}
