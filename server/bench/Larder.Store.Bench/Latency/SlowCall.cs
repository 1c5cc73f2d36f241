namespace Larder.Store.Bench;

/// <summary>A call that took long.</summary>
/// <param name="From">The timestamp at which it started.</param>
/// <param name="To">The timestamp at which it ended.</param>
/// <param name="WasSwitched">Whether its thread was preempted meanwhile.</param>
internal readonly record struct SlowCall(long From, long To, bool WasSwitched)
{
    /// <summary>Returns whether two calls overlapped.</summary>
    public bool Meets(SlowCall other) => From < other.To && other.From < To;
}
