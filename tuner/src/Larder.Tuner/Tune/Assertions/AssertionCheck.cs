using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Tuner.Tune.Assertions;

/// <summary>Evaluates an assertion against the measurements of a run.</summary>
internal static class AssertionCheck
{
    /// <summary>Returns whether the assertion is true. Returns false if the run does not contain the value.</summary>
    public static Assertion Of(RunAssertion assertion, TuneRun run)
    {
        (double? figure, string measured) = assertion.Figure switch
        {
            "rate" => Calls(run.Proved?.RatePerSecond, "the proved rate"),
            "throughput" => Calls(run.KneeRung()?.RequestsPerSecond, "at the knee of the closed loop"),
            _ => Latency(TargetText.ShareOf(assertion.Figure), run),
        };
        return new(assertion.ToString(), measured, figure is { } known && assertion.Holds(known));
    }

    private static (double?, string) Calls(double? rate, string what) =>
        (rate, rate is null ? $"not measured: {what}" : $"{Show.Count(rate)} calls per second, {what}");

    private static (double?, string) Latency(double quantile, TuneRun run)
    {
        double? us = run.Proved is null
            ? null
            : RateAnswer.ProofOf(run.Proved, run.Rates)?.Measured.Latency.AtUs(quantile);
        return (us, us is null ? "no answer" : $"{Show.Us(us)} at {Show.Count(run.Proved!.RatePerSecond)} calls per second");
    }
}
