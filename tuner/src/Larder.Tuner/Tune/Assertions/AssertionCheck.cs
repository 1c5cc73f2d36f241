using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Assertions;

/// <summary>Compares an assertion with what a run measured.</summary>
internal static class AssertionCheck
{
    /// <summary>Held or not; where there is no answer, none of it holds.</summary>
    public static Assertion Of(RunAssertion assertion, TuneRun run)
    {
        (double? figure, string measured) = assertion.Figure switch
        {
            "rate" => Calls(run.Proved?.RatePerSecond, "the proved rate"),
            "throughput" => Calls(run.KneeRung()?.RequestsPerSecond, "at the closed loop's knee"),
            _ => Latency(TargetText.ShareOf(assertion.Figure), run),
        };
        return new(assertion.ToString(), measured, figure is { } known && assertion.Holds(known));
    }

    private static (double?, string) Calls(double? rate, string what) =>
        (rate, rate is null ? $"no figure: {what}" : $"{Show.Count(rate)} calls a second, {what}");

    private static (double?, string) Latency(double quantile, TuneRun run)
    {
        double? us = run.Proved is null
            ? null
            : RateAnswer.ProofOf(run.Proved, run.Rates)?.Measured.Latency.AtUs(quantile);
        return (us, us is null ? "no answer" : $"{Show.Us(us)} at {Show.Count(run.Proved!.RatePerSecond)} calls a second");
    }
}
