using System.Globalization;

namespace Larder.Tuner.Tune;

/// <summary>Compares an assertion with what a run measured.</summary>
internal static class AssertionCheck
{
    /// <summary>Held or not; without a knee, or the load that is meant, none holds.</summary>
    public static Assertion Of(TuneAssertion assertion, TuneRun run)
    {
        if (assertion.Quantile is null)
        {
            double? rate = run.KneeRung()?.RequestsPerSecond;
            return new(
                assertion.ToString(),
                rate is null ? "no knee" : string.Create(CultureInfo.InvariantCulture, $"{rate:N0} calls a second at the knee"),
                rate is { } known && assertion.Holds(known));
        }

        ProofStep? step = run.Proof.FirstOrDefault(step => step.Percent == assertion.LoadPercent);
        double? us = step?.Measured.Latency.AtUs(TargetText.ShareOf(assertion.Quantile));
        return new(
            assertion.ToString(),
            us is null
                ? "no knee, and so no proof"
                : string.Create(CultureInfo.InvariantCulture, $"{us / 1000:F3} ms at {assertion.LoadPercent} % of the knee's throughput"),
            us is { } value && assertion.Holds(value));
    }
}
