namespace Larder.Store.Bench;

/// <summary>A call that took long.</summary>
/// <param name="From">When it began, a timestamp.</param>
/// <param name="To">When it was over.</param>
/// <param name="WasSwitched">Whether the system gave its processor to another thread meanwhile.</param>
internal readonly record struct SlowCall(long From, long To, bool WasSwitched)
{
    /// <summary>Whether two calls, of two threads, went on at one time.</summary>
    public bool Meets(SlowCall other) => From < other.To && other.From < To;
}
