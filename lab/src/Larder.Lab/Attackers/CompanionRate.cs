namespace Larder.Lab.Attackers;

/// <summary>
/// The calls a second with which well-behaved clients use as much CPU as an attack does. What a lane has shown corrects the next. CPU grows more slowly than
/// the rate, because at a high rate many calls travel together, so the rate is corrected by more than what was missing.
/// </summary>
internal sealed class CompanionRate
{
    private const double Least = 100, Most = 4_000_000;

    // Below this many processors a reading is mostly the neighbour's own.
    private const double LeastReading = 0.02;

    // Converges where CPU is proportional to the rate (1 would do it at once), and where it grows with the rate's square root (there 2 would).
    private const double Exponent = 1.4;

    // A lane whose CPU is this close to the attack's needs no correction.
    private const double Near = 0.1;

    // Calls a second for one processor. Before the first lane: 50 µs of server and client for a call.
    private double _callsForOne = 20_000;

    /// <summary>Calls a second for so many processors of the server and the attackers; null if they are unknown.</summary>
    public double For(double? attack) => Math.Clamp(Math.Pow(Math.Max(attack ?? 0, LeastReading), Exponent) * _callsForOne, Least, Most);

    /// <summary>Whether well-behaved clients used about as much CPU as the attack, or what they used is unknown.</summary>
    public static bool IsNear(double? attack, double? used) => attack is null || used is null || Math.Abs(used.Value - attack.Value) <= attack.Value * Near;

    /// <summary>Learns from a lane.</summary>
    /// <param name="rate">Calls a second of the well-behaved clients.</param>
    /// <param name="used">Processors that the server and they used; null if they are unknown.</param>
    public void Learn(double rate, double? used)
    {
        if (used is { } processors)
        {
            _callsForOne = rate / Math.Pow(Math.Max(processors, LeastReading), Exponent);
        }
    }
}
