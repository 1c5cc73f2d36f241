using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Tuner.Tune.Bottlenecks;
using static Larder.Report.InvariantText;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>Checks whether a step at a scheduled rate met the target, and finds the bottleneck of a step that missed it.</summary>
internal static class ObjectiveCheck
{
    /// <summary>
    /// The fraction of the scheduled calls that must be made for the schedule to count as met. The normal variation of random arrivals is also allowed.
    /// </summary>
    public const double Reached = 0.98;

    /// <summary>
    /// A factor is reported as the cause of a missed target if it accounts for at least this fraction of the latency, or of the tail of the latency.
    /// </summary>
    public const double Most = 0.5;

    /// <summary>Returns the reason why the target was missed, or null if it was met.</summary>
    public static string? MissOf(RateStep step, TuneTarget target) => step.TargetUs switch
    {
        null when step.Unstarted == 0 && step.Measured is { Latency.Samples: 0, Errors.Count: 0 } => "no call was measured",
        null => Say(
            $"failed or not started calls: {step.Unstarted + step.Measured.Errors.Values.Sum():N0}; {Show.Count(step.Measured.RequestsPerSecond)} of ",
            $"{Show.Count(step.RatePerSecond)} a second"),
        { } us when us > target.LimitUs => $"{target.Name()} {Show.Us(us)}",
        _ => null,
    };

    /// <summary>
    /// Returns whether a bottleneck is a disturbance: not the client or the server, but the machine, other programs or the load generator. A step with such a
    /// bottleneck is not judged.
    /// </summary>
    public static bool IsDisturbance(StepLimit limit) => limit is StepLimit.Stalls or StepLimit.Noise or StepLimit.Generator;

    /// <summary>
    /// Returns the bottleneck of a step that did not meet the target. <paramref name="isStalled"/> means that the machine stalled for too much of the measured
    /// time to exclude the stalls. They are then the bottleneck if the schedule was met, because a stall does not cause a queue that grows until the end.
    /// </summary>
    public static StepVerdict Of(RateStep step, TuneTarget target, ResourceUse use, bool isStalled)
    {
        StepVerdict judged = BottleneckAnalysis.Of(use);
        if (judged.Limit == StepLimit.Errors)
        {
            return judged;
        }

        if (IsGeneratorLimited(step, target))
        {
            return new(
                StepLimit.Generator,
                Say(
                    $"the generator started calls up to {Show.Us(step.Late!.AtUs(target.Quantile))} late ({target.Name()}) although callers were free",
                    $"{(IsBehind(step) ? $", and made {Show.Count(step.Measured.RequestsPerSecond)} of {Show.Count(step.RatePerSecond)} a second" : "")}"));
        }

        if (judged.Limit != StepLimit.Noise && isStalled && !IsBehind(step))
        {
            return new(StepLimit.Stalls, Say($"{step.Measured.Stalls}: {Show.Percent(step.StallShareOfTail, "0")} of the calls that may exceed the target"));
        }

        return judged.Limit == StepLimit.Callers && !IsBehind(step)
            ? new(StepLimit.Unknown, "the schedule was met and no resource is exhausted, but individual calls were slow")
            : judged;
    }

    /// <summary>
    /// Returns whether the load generator caused the miss. There are two cases. Either most of the latency is the generator's delay while callers were free,
    /// and the calls were served in time. Or the delay is the reason why the schedule was not met.
    /// </summary>
    private static bool IsGeneratorLimited(RateStep step, TuneTarget target)
    {
        double late = step.Late?.AtUs(target.Quantile) ?? 0;
        bool servedInTime = step.Service.AtUs(target.Quantile) <= target.LimitUs;
        return late > Most * (step.TargetUs ?? target.LimitUs) && (servedInTime || (IsBehind(step) && late > step.Service.AtUs(target.Quantile)));
    }

    /// <summary>Returns whether fewer calls were made than scheduled. The difference must exceed three standard deviations of random arrivals.</summary>
    private static bool IsBehind(RateStep step) =>
        step.Measured.RequestsPerSecond < (Reached * step.RatePerSecond) - (3 * Math.Sqrt(step.RatePerSecond / Math.Max(0.1, step.Measured.Seconds)));
}
