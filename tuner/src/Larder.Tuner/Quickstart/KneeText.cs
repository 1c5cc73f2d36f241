using System.Globalization;

namespace Larder.Tuner.Quickstart;

/// <summary>Explains the knee of a sweep to a new user in one or two sentences.</summary>
internal static class KneeText
{
    /// <summary>
    /// Returns the text with the measurements at the knee. <paramref name="mostCalls"/> is the number of callers at the highest throughput. If it equals
    /// <paramref name="lastRung"/>, the text states that the sweep ended before throughput stopped growing.
    /// </summary>
    public static string Of(int inFlight, double requestsPerSecond, double p999Us, int mostCalls, int lastRung)
    {
        string knee = string.Create(
            CultureInfo.InvariantCulture,
            $"The knee, which is the lowest concurrency with at least 98 % of the highest throughput, is at {inFlight:N0} calls in flight: "
                + $"{requestsPerSecond:N0} calls per second, p99.9 {p999Us / 1000:F2} ms.");
        return mostCalls < lastRung
            ? $"{knee} More concurrent calls would only wait longer, so the client's concurrency limit queues them."
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{knee} The throughput was highest at the last step "
                    + $"({lastRung:N0} calls in flight), so more calls in flight may increase it. Run larder tune to search further.");
    }
}
