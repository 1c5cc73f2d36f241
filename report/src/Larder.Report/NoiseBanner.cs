using System.Globalization;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report;

/// <summary>
/// Summarizes in one sentence how many of a run's measurements were disturbed by other programs. In the tables, the affected rows are only marked with ~.
/// </summary>
internal static class NoiseBanner
{
    /// <summary>Returns the sentence; null if nothing was disturbed.</summary>
    public static string? Of(TuneRun run)
    {
        string[] disturbed =
        [
            .. Some(run.Search.Count(rung => rung.Noisy), run.Search.Count, "steps of the closed loop"),
            .. Some(run.Rates.Count(step => step.Measured.Noisy), run.Rates.Count, "steps of the rate search"),
            .. Some(run.Channels.Count(row => row.Repetitions.Count(one => one.Noisy) * 2 > row.Repetitions.Count), run.Channels.Count, "rows of channels"),
            .. Some(run.Adaptive.Count(row => row.Measured.Noisy), run.Adaptive.Count, "rows of adaptive limits"),
        ];
        string proof = RateAnswer.ProofOf(run.Proved, run.Rates)?.Measured.Noisy == true ? ", including the confirmation" : "";
        return disturbed.Length == 0
            ? null
            : $"Noisy machine: other programs disturbed {string.Join(", ", disturbed)}{proof}; they are marked with ~. Disturbances only add latency.";
    }

    private static IEnumerable<string> Some(int noisy, int all, string what) =>
        noisy > 0 ? [string.Create(CultureInfo.InvariantCulture, $"{Show.Count(noisy)} of {all} {what}")] : [];
}
