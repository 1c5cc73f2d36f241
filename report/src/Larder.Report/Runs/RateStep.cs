using System.Text.Json.Serialization;

namespace Larder.Report.Runs;

/// <summary>
/// A step of the rate search. Calls are due on a schedule with random intervals. The latency of <see cref="Measured"/> is what a user would feel, because it is
/// measured from the time at which a call was due. The latency of <see cref="Service"/> is measured from the time at which the call was actually made, which
/// hides the waiting time before it.
/// </summary>
internal sealed record RateStep
{
    /// <summary>Gets the purpose of the step.</summary>
    public required RateStepKind Kind { get; init; }

    /// <summary>Gets the scheduled calls per second.</summary>
    public required double RatePerSecond { get; init; }

    /// <summary>Gets the client's concurrency limit.</summary>
    public required int Cap { get; init; }

    /// <summary>Gets the number of the attempt: 1, or 2 if the first attempt could not be judged and the step was repeated.</summary>
    public int Attempt { get; init; } = 1;

    /// <summary>Gets the number of the confirmation run: 1, or 2 after the first run met the target.</summary>
    public int Run { get; init; } = 1;

    /// <summary>Gets the purpose as text.</summary>
    [JsonIgnore]
    public string Name => Kind.ToString().ToLowerInvariant() + (Run > 1 ? " twice" : "") + (Attempt > 1 ? " again" : "");

    /// <summary>Gets the measurement. Its throughput is the rate that was reached.</summary>
    public required Measurement Measured { get; init; }

    /// <summary>Gets the service latency.</summary>
    public required LatencySummary Service { get; init; }

    /// <summary>
    /// Gets the delays between the due time of a call and its start. Only calls for which a caller was free at the due time are included, so the delays are
    /// caused by the generator. Null if the agent does not report them.
    /// </summary>
    public LatencySummary? Late { get; init; }

    /// <summary>Gets the number of calls that were due during the step but were never started, because no caller was free before the end of the step.</summary>
    public long Unstarted { get; init; }

    /// <summary>
    /// Gets the target's percentile of all due calls, in µs. Failed and unstarted calls count as the slowest calls. Null if the percentile falls on a failed or
    /// unstarted call.
    /// </summary>
    public double? TargetUs { get; init; }

    /// <summary>Gets the lower bound of the 95 % confidence interval of <see cref="TargetUs"/>, in µs.</summary>
    public double? LowUs { get; init; }

    /// <summary>
    /// Gets the upper bound of the 95 % confidence interval of <see cref="TargetUs"/>, in µs; null if there were too few calls for an upper bound.
    /// </summary>
    public double? HighUs { get; init; }

    /// <summary>
    /// Gets the time that <see cref="TargetUs"/> does not include, because the machine stalled. Null if the whole measured time is included.
    /// </summary>
    public ExcludedStalls? Excluded { get; init; }

    /// <summary>Gets the reason why the target was missed; null if it was met.</summary>
    public string? Miss { get; init; }

    /// <summary>
    /// Gets whether the step did not meet the target, but something other than the client and the server may be the cause: stalls of the machine, other
    /// programs or the load generator. <see cref="Verdict"/> names the cause. The step does not count as a miss. False in files of older versions.
    /// </summary>
    public bool NotJudged { get; init; }

    /// <summary>Gets whether the step missed the target because of the client and the server.</summary>
    [JsonIgnore]
    public bool IsMissed => Miss is not null && !NotJudged;

    /// <summary>Gets the outcome as text.</summary>
    [JsonIgnore]
    public string Outcome => Miss is null ? "met" : NotJudged ? "not judged" : "missed";

    /// <summary>Gets the bottleneck if the target was missed; null if it was met.</summary>
    public StepVerdict? Verdict { get; init; }

    /// <summary>Gets the share of the target's tail that the machine's stalls may have caused; null if stalls were not measured.</summary>
    public double? StallShareOfTail { get; init; }
}
