using System.Globalization;

namespace Larder.Tuner.Quickstart;

/// <summary>What a sweep's knee says to a newcomer, in one or two sentences.</summary>
internal static class KneeText
{
    /// <summary>
    /// The knee's figures. <paramref name="mostCalls"/>: the callers of the rung with the most calls a second; where that is
    /// <paramref name="lastRung"/>, the sweep ended before its calls a second did, which is said.
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
