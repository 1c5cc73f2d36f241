using Larder.Report.Drawing;
using static Larder.Report.InvariantText;

namespace Larder.Report.Runs;

/// <summary>A run's answer in a sentence: the proved rate, or that there is none, and what limits.</summary>
internal static class RateAnswer
{
    /// <summary>The sentence.</summary>
    public static string Of(TuneTarget target, ProvedRate? proved, IReadOnlyList<RateStep> steps)
    {
        if (proved is null)
        {
            return NoneOf(target, steps);
        }

        return $"{Show.Count(proved.RatePerSecond)} calls a second with a cap of {Show.Count(proved.Cap)}, {FigureOf(target, proved)}; "
            + $"{LimitOf(proved, steps)}.";
    }

    /// <summary>The lowest rate above the proved one that missed the target, also when it was measured again; null if none did.</summary>
    public static double? LowestMiss(ProvedRate proved, IReadOnlyList<RateStep> steps) =>
        steps.Count == 0 ? proved.BreaksAt : MissAbove(proved, steps)?.RatePerSecond;

    /// <summary>Of the step at <see cref="LowestMiss"/>, or of the nearest miss if no rate was proved; null without one.</summary>
    public static RateStep? DecisiveMiss(ProvedRate? proved, IReadOnlyList<RateStep> steps) =>
        proved is null ? NearestMiss(steps) : MissAbove(proved, steps);

    /// <summary>The steps that count: the last one at each rate. The steps that search for a smaller cap say nothing about the rate.</summary>
    public static IEnumerable<RateStep> LastOfEachRate(IReadOnlyList<RateStep> steps) =>
        from step in steps
        where step.Kind != RateStepKind.Cap
        group step by step.RatePerSecond into same
        orderby same.Key
        select same.Last();

    /// <summary>The percentile with its interval: <c>p99.9 3.10 ms (2.80 ms to 3.40 ms)</c>.</summary>
    public static string FigureOf(TuneTarget target, ProvedRate proved) => $"{target.Name()} {FigureOf(proved.TargetUs, proved.LowUs, proved.HighUs)}";

    /// <summary>The same of any step.</summary>
    public static string FigureOf(double? us, double? lowUs, double? highUs) => us is null ? "unknown" : $"{Show.Us(us)} ({IntervalOf(lowUs, highUs)})";

    /// <summary>An interval of 95 % in a sentence. It has no upper bound if the slow calls came in too few separate bursts.</summary>
    public static string IntervalOf(double? lowUs, double? highUs) => BoundsOf(lowUs, highUs) + ((lowUs, highUs) switch
    {
        (not null, null) => ", upper bound unknown",
        (null, not null) => ", lower bound unknown",
        _ => "",
    });

    /// <summary>The same in the cell of a table.</summary>
    public static string BoundsOf(double? lowUs, double? highUs) => (lowUs, highUs) switch
    {
        (null, null) => "unknown",
        ({ } low, null) => $"at least {Show.Us(low)}",
        (null, { } high) => $"at most {Show.Us(high)}",
        ({ } low, { } high) => $"{Show.Us(low)} to {Show.Us(high)}",
    };

    /// <summary>The last run that confirmed a proved rate; null without one.</summary>
    public static RateStep? ProofOf(ProvedRate? proved, IReadOnlyList<RateStep> steps) => proved is null
        ? null
        : steps.LastOrDefault(step => step.Kind == RateStepKind.Confirm && step.Miss is null && step.RatePerSecond == proved.RatePerSecond);

    /// <summary>The step that missed by least, the fastest of them where none has a figure; null without steps.</summary>
    public static RateStep? NearestMiss(IReadOnlyList<RateStep> steps) =>
        steps.Where(step => step.Miss is not null).OrderBy(step => step.TargetUs ?? double.PositiveInfinity).ThenByDescending(step => step.RatePerSecond)
            .FirstOrDefault();

    private static RateStep? MissAbove(ProvedRate proved, IReadOnlyList<RateStep> steps) =>
        LastOfEachRate(steps).FirstOrDefault(step => step.RatePerSecond > proved.RatePerSecond && step.Miss is not null);

    private static string LimitOf(ProvedRate proved, IReadOnlyList<RateStep> steps)
    {
        RateStep? miss = MissAbove(proved, steps);
        double? lowest = LowestMiss(proved, steps);
        string limit = (lowest, miss?.Verdict?.Limit) switch
        {
            (null, _) when steps.Any(step => step.Kind != RateStepKind.Cap && step.RatePerSecond > proved.RatePerSecond) =>
                "higher rates kept the target as well, but were not confirmed",
            (null, _) => "higher rates were not tried",
            ({ } rate, StepLimit.Generator) => $"at {Show.Count(rate)} the generator falls behind its schedule, so that nothing is known of higher rates",
            ({ } rate, _) => $"the limit is between this rate and {Show.Count(rate)}, the lowest higher rate that missed the target",
        };
        double[] once =
        [
            .. from step in LastOfEachRate(steps)
               where step.Miss is null && step.RatePerSecond > proved.RatePerSecond && step.RatePerSecond < (lowest ?? double.MaxValue)
               where steps.Any(one => one.Kind != RateStepKind.Cap && one.RatePerSecond == step.RatePerSecond && one.Miss is not null)
               select step.RatePerSecond,
        ];
        return once.Length == 0
            ? limit
            : $"{limit} ({string.Join(" and ", once.Select(rate => Show.Count(rate)))} missed it once and kept it when measured again)";
    }

    private static string NoneOf(TuneTarget target, IReadOnlyList<RateStep> steps) =>
        NearestMiss(steps) is { } nearest
            ? Say($"No answer: {WhyNone(target, steps)}; the nearest was ")
                + Say($"{nearest.RatePerSecond:N0} calls a second ({nearest.Miss}). ")
                + Say($"What limits there: {nearest.Verdict?.Why ?? "nobody judged"}.")
            : $"No answer: no scheduled rate was confirmed for {TargetText.Of(target)}.";

    /// <summary>A rate that a run kept is not refuted where the time was up before it was confirmed.</summary>
    private static string WhyNone(TuneTarget target, IReadOnlyList<RateStep> steps) =>
        steps.Where(step => step.Miss is null).MaxBy(step => step.RatePerSecond) is { } kept
            ? $"no scheduled rate kept {TargetText.Of(target)} twice in a row within the time; {Show.Count(kept.RatePerSecond)} calls a second did once"
            : $"no scheduled rate keeps {TargetText.Of(target)} here";
}
