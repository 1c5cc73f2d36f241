namespace Larder.Agent;

/// <summary>
/// The versions of the keys that this process writes. Only one caller writes a key at a time. The server may still apply a write whose result is unknown. So
/// the key is not written again until a read sees that write or it can no longer arrive. Thus versions reach the server in order. Does no I/O, and is safe
/// for concurrent use.
/// </summary>
/// <param name="keys">The number of keys.</param>
/// <param name="settleNs">The time in ns after which a write with an unknown result can no longer arrive.</param>
internal sealed class NearWrites(int keys, long settleNs)
{
    private const long Free = 0;
    private const long Busy = -1;

    private readonly int[] _issued = new int[keys];

    // Free, busy, or the time in ns at which the last write ended with an unknown result.
    private readonly long[] _states = new long[keys];

    /// <summary>Returns the last version whose write was started.</summary>
    public int Issued(int key) => Volatile.Read(ref _issued[key]);

    /// <summary>Reserves a key for the caller and returns the next version to write. Returns 0 if another caller writes the key or it is not settled.</summary>
    public int TryBegin(int key, long nowNs)
    {
        long state = Volatile.Read(ref _states[key]);
        bool isOpen = state == Free || (state > Free && nowNs - state > settleNs);
        return isOpen && Interlocked.CompareExchange(ref _states[key], Busy, state) == state ? Interlocked.Increment(ref _issued[key]) : 0;
    }

    /// <summary>Releases the key after a successful write.</summary>
    public void Finished(int key) => Volatile.Write(ref _states[key], Free);

    /// <summary>Marks the key after a failed write, which may have been applied, may still be applied, or may be lost.</summary>
    public void Unknown(int key, long nowNs) => Volatile.Write(ref _states[key], Math.Max(1, nowNs));

    /// <summary>Records that a read found this version. If the last write's result was unknown, it was applied, and only once.</summary>
    public void Seen(int key, int version)
    {
        long state = Volatile.Read(ref _states[key]);
        if (state > Free && version == Issued(key))
        {
            Interlocked.CompareExchange(ref _states[key], Free, state);
        }
    }

    /// <summary>Returns the number of keys that are not settled.</summary>
    public int Unsettled() => _states.Count(static state => state > Free);
}
