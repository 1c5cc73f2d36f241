using Larder.Report.Drawing;
using static Larder.Report.InvariantText;

namespace Larder.Report.Runs;

/// <summary>The result of a run in one sentence: the proved rate and the bottleneck, or that no rate was proved.</summary>
internal static class RateAnswer
{
    public static string Of(TuneTarget target, ProvedRate? proved, IReadOnlyList<RateStep> steps)
    {
        if (proved is null)
        {
            return NoneOf(target, steps);
        }

        return $"{Show.Count(proved.RatePerSecond)} calls per second with a concurrency limit of {Show.Count(proved.Cap)}, {FigureOf(target, proved)}"
            + $"{(proved.Excluded is { } excluded ? $", {excluded}" : "")}; {LimitOf(proved, steps)}.";
    }

    /// <summary>Returns the lowest rate above the proved rate whose last measurement missed the target. Returns null if there is none.</summary>
    public static double? LowestMiss(ProvedRate proved, IReadOnlyList<RateStep> steps) =>
        steps.Count == 0 ? proved.BreaksAt : MissAbove(proved, steps)?.RatePerSecond;

    /// <summary>
    /// Returns the step at <see cref="LowestMiss"/>. If no rate was proved, returns the step that missed the target by least. Returns null if there is no such
    /// step.
    /// </summary>
    public static RateStep? DecisiveMiss(ProvedRate? proved, IReadOnlyList<RateStep> steps) =>
        proved is null ? NearestMiss(steps) : MissAbove(proved, steps);

    /// <summary>
    /// Returns the relevant steps: the last step at each rate that was judged or, if none was, the last step. Steps that search for a smaller concurrency limit
    /// do not count.
    /// </summary>
    public static IEnumerable<RateStep> LastOfEachRate(IReadOnlyList<RateStep> steps) =>
        from step in steps
        where step.Kind != RateStepKind.Cap
        group step by step.RatePerSecond into same
        orderby same.Key
        select same.LastOrDefault(step => !step.NotJudged) ?? same.Last();

    /// <summary>Formats the percentile of a proved rate with its confidence interval: <c>p99.9 3.10 ms (2.80 ms to 3.40 ms)</c>.</summary>
    public static string FigureOf(TuneTarget target, ProvedRate proved) => $"{target.Name()} {FigureOf(proved.TargetUs, proved.LowUs, proved.HighUs)}";

    /// <summary>Formats the percentile of any step with its confidence interval.</summary>
    public static string FigureOf(double? us, double? lowUs, double? highUs) => us is null ? "unknown" : $"{Show.Us(us)} ({IntervalOf(lowUs, highUs)})";

    /// <summary>
    /// Formats a 95 % confidence interval for a sentence. The interval has no upper bound if the slow calls occurred in too few separate bursts.
    /// </summary>
    public static string IntervalOf(double? lowUs, double? highUs) => BoundsOf(lowUs, highUs) + ((lowUs, highUs) switch
    {
        (not null, null) => ", upper bound unknown",
        (null, not null) => ", lower bound unknown",
        _ => "",
    });

    /// <summary>Formats a confidence interval for a table cell.</summary>
    public static string BoundsOf(double? lowUs, double? highUs) => (lowUs, highUs) switch
    {
        (null, null) => "unknown",
        ({ } low, null) => $"at least {Show.Us(low)}",
        (null, { } high) => $"at most {Show.Us(high)}",
        ({ } low, { } high) => $"{Show.Us(low)} to {Show.Us(high)}",
    };

    /// <summary>Returns the last run that confirmed a proved rate. Returns null if there is none.</summary>
    public static RateStep? ProofOf(ProvedRate? proved, IReadOnlyList<RateStep> steps) => proved is null
        ? null
        : steps.LastOrDefault(step => step.Kind == RateStepKind.Confirm && step.Miss is null && step.RatePerSecond == proved.RatePerSecond);

    /// <summary>
    /// Returns the step that missed the target by least. If no step has a value for the percentile, returns the step with the highest rate. Steps that were not
    /// judged count only if there are no others. Returns null if no step missed the target.
    /// </summary>
    public static RateStep? NearestMiss(IReadOnlyList<RateStep> steps) =>
        steps.Where(step => step.Miss is not null)
            .OrderBy(step => step.NotJudged)
            .ThenBy(step => step.TargetUs ?? double.PositiveInfinity)
            .ThenByDescending(step => step.RatePerSecond)
            .FirstOrDefault();

    private static RateStep? MissAbove(ProvedRate proved, IReadOnlyList<RateStep> steps) =>
        Above(proved, steps).FirstOrDefault(step => step.IsMissed);

    private static IEnumerable<RateStep> Above(ProvedRate proved, IReadOnlyList<RateStep> steps) =>
        LastOfEachRate(steps).Where(step => step.RatePerSecond > proved.RatePerSecond);

    private static string LimitOf(ProvedRate proved, IReadOnlyList<RateStep> steps)
    {
        RateStep? miss = MissAbove(proved, steps);
        double? lowest = LowestMiss(proved, steps);
        string limit = (lowest, miss?.Verdict?.Limit) switch
        {
            (null, _) when Above(proved, steps).FirstOrDefault(step => step.NotJudged) is { } unjudged =>
                $"{Show.Count(unjudged.RatePerSecond)} could not be judged ({unjudged.Verdict?.Why ?? unjudged.Miss}), so higher rates are unknown",
            (null, _) when Above(proved, steps).Any() => "higher rates met the target too, but were not confirmed",
            (null, _) => "higher rates were not tried",
            ({ } rate, StepLimit.Generator) => $"at {Show.Count(rate)} the generator falls behind its schedule, so higher rates are unknown",
            ({ } rate, _) when proved.OutOfTime => $"the lowest higher rate that missed the target is {Show.Count(rate)}",
            ({ } rate, _) => $"the limit is between this rate and {Show.Count(rate)}, the lowest higher rate that missed the target",
        };
        double[] once =
        [
            .. from step in LastOfEachRate(steps)
               where step.Miss is null && step.RatePerSecond > proved.RatePerSecond && step.RatePerSecond < (lowest ?? double.MaxValue)
               where steps.Any(one => one.Kind != RateStepKind.Cap && one.RatePerSecond == step.RatePerSecond && one.IsMissed)
               select step.RatePerSecond,
        ];
        string reached = proved.OutOfTime ? "the search ran out of time: " : "";
        return once.Length == 0
            ? reached + limit
            : $"{reached}{limit} ({string.Join(" and ", once.Select(rate => Show.Count(rate)))} missed it once and met it when measured again)";
    }

    private static string NoneOf(TuneTarget target, IReadOnlyList<RateStep> steps) =>
        NearestMiss(steps) is { } nearest
            ? Say($"No answer: {WhyNone(target, steps)}; the nearest was ")
                + Say($"{nearest.RatePerSecond:N0} calls per second ({nearest.Miss}). ")
                + Say($"Bottleneck: {nearest.Verdict?.Why ?? "unknown"}.")
            : $"No answer: no scheduled rate was confirmed for {TargetText.Of(target)}.";

    /// <summary>Explains why no rate was proved. A rate that met the target once is mentioned, because there may have been no time to confirm it.</summary>
    private static string WhyNone(TuneTarget target, IReadOnlyList<RateStep> steps) =>
        steps.Where(step => step.Miss is null).MaxBy(step => step.RatePerSecond) is { } kept
            ? $"no scheduled rate met {TargetText.Of(target)} in two consecutive runs within the budget; {Show.Count(kept.RatePerSecond)} calls per second "
                + "did once"
            : steps.Any(step => step.IsMissed) ? $"no scheduled rate meets {TargetText.Of(target)}"
            : $"no scheduled rate could be judged for {TargetText.Of(target)}";
}
