namespace Larder.Lab.Attackers;

/// <summary>
/// Finds the calls per second with which well-behaved clients use as much CPU as an attack does. The result of each lane corrects the next. CPU grows more
/// slowly than the rate, because calls are batched at high rates, so the rate is corrected by more than the missing share.
/// </summary>
internal sealed class CompanionRate
{
    private const double Least = 100, Most = 4_000_000;

    // Below this many processors, a reading is mostly the CPU of the neighbour itself.
    private const double MinReading = 0.02;

    // Converges both if CPU is proportional to the rate (1 would converge immediately) and if it grows with the square root of the rate (2 would).
    private const double Exponent = 1.4;

    // A lane whose CPU is this close to the attack's needs no correction.
    private const double Near = 0.1;

    // The calls per second of one processor. The initial value assumes 50 µs of server and client CPU per call.
    private double _callsForOne = 20_000;

    /// <summary>Returns the calls per second for this many processors of the server and the attackers; null if they are unknown.</summary>
    public double For(double? attack) => Math.Clamp(Math.Pow(Math.Max(attack ?? 0, MinReading), Exponent) * _callsForOne, Least, Most);

    /// <summary>Returns whether well-behaved clients used about as much CPU as the attack; also true if the CPU usage is unknown.</summary>
    public static bool IsNear(double? attack, double? used) => attack is null || used is null || Math.Abs(used.Value - attack.Value) <= attack.Value * Near;

    /// <summary>Updates the estimate from a lane.</summary>
    /// <param name="rate">The calls per second of the well-behaved clients.</param>
    /// <param name="used">The processors that the server and the clients used; null if unknown.</param>
    public void Learn(double rate, double? used)
    {
        if (used is { } processors)
        {
            _callsForOne = rate / Math.Pow(Math.Max(processors, MinReading), Exponent);
        }
    }
}
