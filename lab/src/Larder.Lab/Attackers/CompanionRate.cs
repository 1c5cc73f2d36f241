namespace Larder.Lab.Attackers;

/// <summary>
/// Finds the rate at which well-behaved clients use as much CPU as an attack. Each measurement corrects the rate for the next measurement. At high rates calls
/// are batched, so CPU usage grows more slowly than the rate. Therefore the rate is changed by a larger factor than the CPU usage should change.
/// </summary>
internal sealed class CompanionRate
{
    private const double Least = 100, Most = 4_000_000;

    // The minimum CPU usage in processors. A lower measured value is mostly the CPU usage of the neighbour itself, so it counts as the minimum.
    private const double MinReading = 0.02;

    // With this exponent, the rate converges if CPU usage is proportional to the rate, and if it grows with the square root of the rate. 1 would be ideal for
    // the first case, 2 for the second.
    private const double Exponent = 1.4;

    // If the CPU usage of the well-behaved clients differs from that of the attack by at most this share, the rate needs no correction.
    private const double Near = 0.1;

    // The calls per second that use one processor. The initial value assumes 50 µs of server and client CPU time per call.
    private double _callsForOne = 20_000;

    /// <summary>
    /// Returns the calls per second at which the server and the well-behaved clients together use <paramref name="attack"/> processors. This is the number that
    /// the server and the attackers use, or null if it is unknown.
    /// </summary>
    public double For(double? attack) => Math.Clamp(Math.Pow(Math.Max(attack ?? 0, MinReading), Exponent) * _callsForOne, Least, Most);

    /// <summary>Returns whether well-behaved clients used about as much CPU as the attack. Returns true if the CPU usage is unknown.</summary>
    public static bool IsNear(double? attack, double? used) => attack is null || used is null || Math.Abs(used.Value - attack.Value) <= attack.Value * Near;

    /// <summary>Updates the estimate from a measurement.</summary>
    /// <param name="rate">The calls per second of the well-behaved clients.</param>
    /// <param name="used">The number of processors that the server and the clients used; null if unknown.</param>
    public void Learn(double rate, double? used)
    {
        if (used is { } processors)
        {
            _callsForOne = rate / Math.Pow(Math.Max(processors, MinReading), Exponent);
        }
    }
}
