using System.Globalization;
using Larder.Tuner.Report.Drawing;

namespace Larder.Tuner.Tune;

/// <summary>
/// What a run's proof came to: up to which share of the knee's throughput the target was kept with arrivals on a schedule, and that in a sentence.
/// </summary>
internal static class ProofVerdict
{
    /// <summary>The share that everybody asks about: busy, with room for bursts.</summary>
    public const double UsualPercent = 70;

    /// <summary>
    /// The last step up to which every step kept the target: what users would feel is within it, the schedule was kept, and the calls did not fail. Null where
    /// the first step missed it, or nothing was proved. A step that kept it after one that did not is luck.
    /// </summary>
    public static ProofStep? KeptUpTo(TuneRun run) => run.Proof.TakeWhile(step => MissOf(run, step) is null).LastOrDefault();

    /// <summary>The sentence; empty where nothing was proved.</summary>
    public static string Of(TuneRun run)
    {
        if (run.Proof.Count == 0)
        {
            return "";
        }

        ProofStep? kept = KeptUpTo(run);
        ProofStep? missed = run.Proof.FirstOrDefault(step => MissOf(run, step) is not null);
        string? why = missed is null ? "" : MissOf(run, missed);
        ProofStep? usual = run.Proof.FirstOrDefault(step => step.Percent == UsualPercent);
        // Where the step that missed is the usual one, its figure is said already.
        string felt = usual is null || usual == missed ? "" : $"; at {Share(usual)} the felt {run.Target.Name()} was {Show.Us(Felt(run, usual))}";
        string said = (kept, missed) switch
        {
            (null, { } first) =>
                $"The proof did not hold: with arrivals on a schedule, {TargetText.Of(run.Target)} was missed at {Share(first)} of this throughput already "
                    + $"({why}){felt}.",
            ({ } last, null) =>
                $"The proof held: with arrivals on a schedule, {TargetText.Of(run.Target)} was kept up to {Share(last)} of this throughput{felt}.",
            _ =>
                $"The proof held up to {Share(kept!)} of this throughput: with arrivals on a schedule, {TargetText.Of(run.Target)} was missed at "
                    + $"{Share(missed!)} ({why}){felt}.",
        };
        return said + Noise(run);
    }

    /// <summary>Why a step did not keep the target; null where it did.</summary>
    private static string? MissOf(TuneRun run, ProofStep step) => step switch
    {
        { Verdict.Limit: StepLimit.Errors } => "calls failed",
        _ when Felt(run, step) > run.Target.LimitUs => $"felt {run.Target.Name()} {Show.Us(Felt(run, step))}",
        _ when step.Measured.RequestsPerSecond < TuneProof.Kept * step.IntendedPerSecond =>
            $"only {Show.Count(step.Measured.RequestsPerSecond)} of {Show.Count(step.IntendedPerSecond)} calls a second were answered",
        _ => null,
    };

    /// <summary>What other programs did to it, once for the whole run.</summary>
    private static string Noise(TuneRun run)
    {
        (int rungs, int steps) = (run.Search.Count(rung => rung.Noisy), run.Proof.Count(step => step.Measured.Noisy));
        return rungs + steps == 0
            ? ""
            : string.Create(
                CultureInfo.InvariantCulture,
                $" Noisy machine, {rungs} of {run.Search.Count} rungs and {steps} of {run.Proof.Count} steps of the proof disturbed: repeat.");
    }

    private static double Felt(TuneRun run, ProofStep step) => step.Measured.Latency.AtUs(run.Target.Quantile);

    private static string Share(ProofStep step) => Show.Percent(step.Percent / 100);
}
