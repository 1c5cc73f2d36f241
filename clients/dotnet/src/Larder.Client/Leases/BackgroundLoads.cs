namespace Larder.Client.Leases;

/// <summary>Limits the values that a client refreshes concurrently in the background (GOC-13).</summary>
internal sealed class BackgroundLoads
{
    /// <summary>As many as the threads that Python's blocking client uses for this. With loads of 100 ms it is 320 values a second.</summary>
    public const int Most = 32;

    private int _count;

    /// <summary>Returns whether another load may start. After true, the caller must call <see cref="Ended"/> when it ends.</summary>
    public bool TryBegin()
    {
        if (Interlocked.Increment(ref _count) <= Most)
        {
            return true;
        }

        Interlocked.Decrement(ref _count);
        return false;
    }

    /// <summary>Ends a load.</summary>
    public void Ended() => Interlocked.Decrement(ref _count);
}
