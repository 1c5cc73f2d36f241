namespace Larder.Client.Adaptive;

/// <summary>A window of calls, as it is judged.</summary>
/// <param name="Calls">Calls counted: at least 1.</param>
/// <param name="Over">Of them, those that took longer than the target.</param>
/// <param name="Waited">Of them, those that ended while others waited for a permit.</param>
/// <param name="Mean">Mean time of a call.</param>
/// <param name="Least">The shortest.</param>
/// <param name="Span">From the first call's end to the last's.</param>
internal readonly record struct CapCounts(int Calls, int Over, int Waited, TimeSpan Mean, TimeSpan Least, TimeSpan Span)
{
    public double OverShare => (double)Over / Calls;

    /// <summary>Calls a second. The first end begins the span, and is not in it.</summary>
    public double CallsPerSecond => (Calls - 1) / Math.Max(Span.TotalSeconds, 1e-6);
}
