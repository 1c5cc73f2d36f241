using System.Globalization;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Output;

/// <summary>The notes that explain a run's measurements.</summary>
internal static class RunNotes
{
    // The minimum number of independent slow calls for which a 95 % interval has an upper bound.
    private const int SlowCallsForBound = 10;

    /// <summary>Returns one sentence per note.</summary>
    public static IEnumerable<string> Of(TuneRun run, int repeated)
    {
        if (run.Floor is { } alone && OfFloor(run.Target, alone) is { } floor)
        {
            yield return floor;
        }

        if (run.Knee is null)
        {
            yield return KneeChoice.WhyNone(run.Search, run.Target);
        }

        if (repeated > 0)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"{repeated} rounds were repeated because other programs used the machine.");
        }

        if (run.Search.Where(rung => rung.Repetitions.Sum(one => one.Latency.Samples) < LatencySummary.SamplesForP999).ToArray() is { Length: > 0 } few)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Fewer than {LatencySummary.SamplesForP999:N0} calls in all passes, so p99.9 is based on fewer than ten of them: {Rungs(few)} callers.");
        }

        foreach (string note in OfAdaptive(run))
        {
            yield return note;
        }

        foreach (string note in OfRates(run))
        {
            yield return note;
        }
    }

    /// <summary>Returns a note if the stalls of the machine alone make the target impossible. Otherwise returns null.</summary>
    public static string? OfFloor(TuneTarget target, MachineStalls floor) =>
        target.Quantile >= 0.99 && floor.P999Us > target.LimitUs
            ? $"The machine itself does not meet {TargetText.Of(target)}: without load, a thread that should wake every millisecond woke up to "
                + $"{Show.Us(floor.P999Us)} late (p99.9)."
            : null;

    private static IEnumerable<string> OfRates(TuneRun run)
    {
        foreach (RateStep step in run.Rates.Where(step => step.Verdict?.Limit == StepLimit.Generator))
        {
            yield return $"{Show.Count(step.RatePerSecond)} calls per second: {step.Verdict!.Why}, so the server was not at its limit.";
        }

        if (RateAnswer.ProofOf(run.Proved, run.Rates) is not { } proof)
        {
            yield break;
        }

        if (proof.HighUs is null)
        {
            yield return NoUpperBound(proof.Measured.Latency.Samples, run.Target);
        }

        if (proof.StallShareOfTail is { } share and >= 0.1)
        {
            yield return $"During the confirmation: {proof.Measured.Stalls}; they may explain {Show.Percent(share, "0")} of its tail.";
        }
    }

    /// <summary>
    /// Returns the reason why an interval has no upper bound. Calls that queue behind each other are slow together. Many slow calls therefore contain little
    /// information if they occurred in only a few bursts.
    /// </summary>
    internal static string NoUpperBound(long calls, TuneTarget target)
    {
        double above = Math.Max(1, Math.Round(calls * (1 - target.Quantile)));
        return above < SlowCallsForBound
            ? $"The upper bound of {target.Name()} is unknown because the confirmation made only {Show.Count(calls)} calls, of which {Show.Count(above)} "
                + $"{(above == 1 ? "is" : "are")} above it; measure longer (--budget)."
            : $"The upper bound of {target.Name()} is unknown because the {Show.Count(above)} slowest of the confirmation's {Show.Count(calls)} calls came "
                + "in too few separate bursts; measure longer (--budget) or on a quieter machine.";
    }

    /// <summary>Returns the results of the adaptive limit if it was compared with the knee.</summary>
    private static IEnumerable<string> OfAdaptive(TuneRun run)
    {
        foreach (IGrouping<string, AdaptiveRow> rows in run.Adaptive.GroupBy(row => row.Scenario))
        {
            if (rows.FirstOrDefault(row => row.Range is null) is { } knee && rows.FirstOrDefault(row => row.Range is not null) is { } adaptive)
            {
                yield return string.Create(
                    CultureInfo.InvariantCulture,
                    $"{rows.Key}: the adaptive limit ({adaptive.Range!.Lowest:N0} to {adaptive.Range.Highest:N0}) reached "
                        + $"{adaptive.Measured.RequestsPerSecond / knee.Measured.RequestsPerSecond * 100:F0} % of the throughput at the knee, p99.9 "
                        + $"{Show.Us(adaptive.Measured.Latency.P999Us)} (the knee's "
                        + $"{Show.Us(knee.Measured.Latency.P999Us)}){(adaptive.SaidUnreachable ? ", and reported its target as out of reach" : "")}.");
            }
        }
    }

    private static string Rungs(IEnumerable<SearchRung> rungs) =>
        string.Join(", ", rungs.Select(rung => rung.Callers.ToString("N0", CultureInfo.InvariantCulture)));
}
