namespace Larder.Store.Leases;

/// <summary>Counts the leases of all caches of a store.</summary>
internal sealed class LeaseRoom
{
    /// <summary>The most at one time: each takes some 300 bytes.</summary>
    public const int Max = 65_536;

    private int _taken;

    /// <summary>Leases now.</summary>
    public int Taken => Volatile.Read(ref _taken);

    public bool TryTake()
    {
        if (Interlocked.Increment(ref _taken) <= Max)
        {
            return true;
        }

        Interlocked.Decrement(ref _taken);
        return false;
    }

    public void GiveBack() => Interlocked.Decrement(ref _taken);
}
