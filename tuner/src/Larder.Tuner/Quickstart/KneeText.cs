using System.Globalization;

namespace Larder.Tuner.Quickstart;

/// <summary>Explains a sweep's knee to a new user in one or two sentences.</summary>
internal static class KneeText
{
    /// <summary>
    /// Returns the text with the knee's figures. <paramref name="mostCalls"/> is the number of callers at the highest throughput. If it equals
    /// <paramref name="lastRung"/>, the text says that the sweep ended before throughput stopped growing.
    /// </summary>
    public static string Of(int inFlight, double requestsPerSecond, double p999Us, int mostCalls, int lastRung)
    {
        string knee = string.Create(
            CultureInfo.InvariantCulture,
            $"The knee: {inFlight:N0} in flight: {requestsPerSecond:N0} calls a second, p99.9 {p999Us / 1000:F2} ms.");
        return mostCalls < lastRung
            ? $"{knee} More callers than that only wait longer, so the client's cap makes them wait in it."
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{knee} The most calls a second were at the last rung, {lastRung:N0}: more in flight may carry more still; larder tune looks further.");
    }
}
