namespace Larder.Tuner.Attackers;

/// <summary>
/// The calls a second with which well-behaved clients use as much CPU as an attack does: CPU is close to proportional to the rate, and what a lane has shown
/// corrects the next.
/// </summary>
internal sealed class CompanionRate
{
    private const double Least = 100, Most = 1_000_000;

    // Below this many processors a reading is mostly the neighbour's own.
    private const double LeastReading = 0.02;

    // Before the first lane: 50 µs of server and client for a call.
    private double _callsPerProcessor = 20_000;

    /// <summary>Calls a second for so many processors of the server and the attackers; null if they are unknown.</summary>
    public double For(double? attack) => Math.Clamp(Math.Max(attack ?? 0, LeastReading) * _callsPerProcessor, Least, Most);

    /// <summary>Learns from a lane.</summary>
    /// <param name="rate">Calls a second of the well-behaved clients.</param>
    /// <param name="used">Processors that the server and they used; null if they are unknown.</param>
    public void Learn(double rate, double? used)
    {
        if (used is { } processors)
        {
            _callsPerProcessor = rate / Math.Max(processors, LeastReading);
        }
    }
}
