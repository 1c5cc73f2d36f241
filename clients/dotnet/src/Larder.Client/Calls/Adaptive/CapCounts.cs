namespace Larder.Client.Adaptive;

/// <summary>The counts of a window of calls.</summary>
/// <param name="Calls">The number of calls counted, at least 1.</param>
/// <param name="Over">The number of calls that took longer than the target.</param>
/// <param name="Waited">The number of calls that ended while other calls waited for a permit.</param>
/// <param name="Mean">The mean duration of a call.</param>
/// <param name="Least">The minimum duration of a call.</param>
/// <param name="Span">The time from the end of the first call to the end of the last.</param>
internal readonly record struct CapCounts(int Calls, int Over, int Waited, TimeSpan Mean, TimeSpan Least, TimeSpan Span)
{
    public double OverShare => (double)Over / Calls;

    /// <summary>Gets the number of calls per second. <see cref="Span"/> starts at the end of the first call, so the first call is not counted.</summary>
    public double CallsPerSecond => (Calls - 1) / Math.Max(Span.TotalSeconds, 1e-6);
}
