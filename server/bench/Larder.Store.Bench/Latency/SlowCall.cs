namespace Larder.Store.Bench;

/// <summary>A call that took longer than <see cref="LatencyRun.SlowUs"/>.</summary>
/// <param name="From">The timestamp at which the call started.</param>
/// <param name="To">The timestamp at which the call ended.</param>
/// <param name="WasSwitched">Whether the thread was preempted during the call.</param>
internal readonly record struct SlowCall(long From, long To, bool WasSwitched)
{
    /// <summary>Returns whether two calls overlapped.</summary>
    public bool Meets(SlowCall other) => From < other.To && other.From < To;
}
