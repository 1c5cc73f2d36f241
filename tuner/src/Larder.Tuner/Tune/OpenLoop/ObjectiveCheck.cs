using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Tuner.Tune.Bottlenecks;
using static Larder.Report.InvariantText;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>Whether a step at an offered rate kept its objective, the target, and what limited one that did not.</summary>
internal static class ObjectiveCheck
{
    /// <summary>Part of the calls due that a generator that keeps its schedule has made.</summary>
    public const double Reached = 0.98;

    /// <summary>Part of what was felt, or of the tail, from which something counts as what made it.</summary>
    private const double Most = 0.5;

    /// <summary>Why the target was not kept; null where it was.</summary>
    public static string? MissOf(RateStep step, TuneTarget target) => step.TargetUs switch
    {
        null when step.Unstarted == 0 && step.Measured is { Latency.Samples: 0, Errors.Count: 0 } => "no call was measured",
        null => Say(
            $"{step.Unstarted + step.Measured.Errors.Values.Sum():N0} calls failed or were not begun: {Show.Count(step.Measured.RequestsPerSecond)} of ",
            $"{Show.Count(step.RatePerSecond)} a second"),
        { } us when us > target.LimitUs => $"{target.Name()} {Show.Us(us)}",
        _ => null,
    };

    /// <summary>
    /// Whether the machine or other programs may have made a miss, so that it should be asked again: noise always may; stalls where they are most of the tail
    /// and the schedule was kept, since no stall makes a queue that grows to the end.
    /// </summary>
    public static bool IsDisturbed(RateStep step) =>
        step.Measured.Noisy || (step.StallShareOfTail >= Most && !IsBehind(step));

    /// <summary>What limited a step that missed.</summary>
    public static StepVerdict Of(RateStep step, TuneTarget target, ResourceUse use)
    {
        StepVerdict judged = BottleneckAnalysis.Of(use);
        if (judged.Limit == StepLimit.Errors)
        {
            return judged;
        }

        if (IsGenerators(step, target))
        {
            return new(
                StepLimit.Generator,
                Say(
                    $"the generator began calls up to {Show.Us(step.Late!.AtUs(target.Quantile))} late ({target.Name()}) with callers free",
                    $"{(IsBehind(step) ? $", and made {Show.Count(step.Measured.RequestsPerSecond)} of {Show.Count(step.RatePerSecond)} a second" : "")}"));
        }

        if (judged.Limit != StepLimit.Noise && IsDisturbed(step))
        {
            return new(StepLimit.Stalls, Say($"{step.Measured.Stalls}: {Show.Percent(step.StallShareOfTail, "0")} of the calls that may miss"));
        }

        return judged.Limit == StepLimit.Callers && !IsBehind(step)
            ? new(StepLimit.Unknown, "the schedule was kept and nothing is used up: single calls took long")
            : judged;
    }

    /// <summary>
    /// The generator's own: most of what was felt is lateness with callers free, and what was begun was answered in time; or the schedule was not kept, and
    /// that is why.
    /// </summary>
    private static bool IsGenerators(RateStep step, TuneTarget target)
    {
        double late = step.Late?.AtUs(target.Quantile) ?? 0;
        bool servedInTime = step.Service.AtUs(target.Quantile) <= target.LimitUs;
        return late > Most * (step.TargetUs ?? target.LimitUs) && (servedInTime || (IsBehind(step) && late > step.Service.AtUs(target.Quantile)));
    }

    /// <summary>Fewer calls than were due, by more than arrivals of chance differ (three standard deviations).</summary>
    private static bool IsBehind(RateStep step) =>
        step.Measured.RequestsPerSecond < (Reached * step.RatePerSecond) - (3 * Math.Sqrt(step.RatePerSecond / Math.Max(0.1, step.Measured.Seconds)));
}
