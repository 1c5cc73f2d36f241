namespace Larder.Client.Leases;

/// <summary>The values that one client makes anew while nobody waits for them: a bounded number at one time (GOC-13).</summary>
internal sealed class BackgroundLoads
{
    /// <summary>As many threads as a blocking client of Python's has for it; a load of 100 ms makes 320 values a second with them.</summary>
    public const int Most = 32;

    private int _count;

    /// <summary>True: one more may begin, whose end <see cref="Ended"/> is told.</summary>
    public bool TryBegin()
    {
        if (Interlocked.Increment(ref _count) <= Most)
        {
            return true;
        }

        Interlocked.Decrement(ref _count);
        return false;
    }

    /// <summary>One has ended.</summary>
    public void Ended() => Interlocked.Decrement(ref _count);
}
