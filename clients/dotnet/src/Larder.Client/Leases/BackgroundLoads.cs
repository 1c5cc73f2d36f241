namespace Larder.Client.Leases;

/// <summary>
/// Limits the number of values that a client loads concurrently in the background (GOC-13): refreshes, and loads that continue after their soft timeout.
/// </summary>
internal sealed class BackgroundLoads
{
    /// <summary>
    /// The maximum number of concurrent background loads. It equals the number of threads that the blocking Python client uses for background refreshes. If a
    /// load takes 100 ms, the limit permits 320 loads per second.
    /// </summary>
    public const int Most = 32;

    private int _count;

    /// <summary>
    /// Returns whether the limit permits another load. If it does, the load is counted, and the caller must call <see cref="Ended"/> when the load ends.
    /// </summary>
    public bool TryBegin()
    {
        if (Interlocked.Increment(ref _count) <= Most)
        {
            return true;
        }

        Interlocked.Decrement(ref _count);
        return false;
    }

    /// <summary>Records the end of a load.</summary>
    public void Ended() => Interlocked.Decrement(ref _count);
}
