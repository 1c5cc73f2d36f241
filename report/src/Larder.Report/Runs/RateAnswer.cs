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

        StepLimit? limit = steps.FirstOrDefault(step => step.RatePerSecond == proved.BreaksAt && step.Miss is not null)?.Verdict?.Limit;
        string past = (proved.BreaksAt, limit) switch
        {
            (null, _) => "higher rates were not tried",
            ({ } rate, StepLimit.Generator) => $"past {Show.Count(rate)} the generator falls behind its schedule",
            ({ } rate, _) => $"past {Show.Count(rate)} the target breaks",
        };
        return $"{Show.Count(proved.RatePerSecond)} calls a second with a cap of {Show.Count(proved.Cap)}, {FigureOf(target, proved)}; {past}.";
    }

    /// <summary>The percentile with its interval: <c>p99.9 3.10 ms (2.80 ms–3.40 ms)</c>.</summary>
    public static string FigureOf(TuneTarget target, ProvedRate proved) => $"{target.Name()} {FigureOf(proved.TargetUs, proved.LowUs, proved.HighUs)}";

    /// <summary>The same of any step; a bound that the calls were too few for is unknown.</summary>
    public static string FigureOf(double? us, double? lowUs, double? highUs) =>
        us is null ? "unknown" : $"{Show.Us(us)} ({Show.Us(lowUs)}–{(highUs is { } high ? Show.Us(high) : "unknown")})";

    /// <summary>The last run that confirmed a proved rate; null without one.</summary>
    public static RateStep? ProofOf(ProvedRate? proved, IReadOnlyList<RateStep> steps) => proved is null
        ? null
        : steps.LastOrDefault(step => step.Kind == RateStepKind.Confirm && step.Miss is null && step.RatePerSecond == proved.RatePerSecond);

    /// <summary>The step that missed by least, the fastest of them where none has a figure; null without steps.</summary>
    public static RateStep? NearestMiss(IReadOnlyList<RateStep> steps) =>
        steps.Where(step => step.Miss is not null).OrderBy(step => step.TargetUs ?? double.PositiveInfinity).ThenByDescending(step => step.RatePerSecond)
            .FirstOrDefault();

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
