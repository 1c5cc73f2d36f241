namespace Larder.Agent;

/// <summary>
/// The versions of the keys that this process writes. Only one caller writes a key at a time. The server may still apply a write whose result is unknown.
/// Therefore the key is not written again until a read returns the version of that write, or until the write can no longer arrive at the server. Versions of a
/// key thus reach the server in order. The class does no I/O, and is safe for concurrent use.
/// </summary>
/// <param name="keys">The number of keys.</param>
/// <param name="settleNs">The time in ns after which a write with an unknown result can no longer arrive.</param>
internal sealed class NearWrites(int keys, long settleNs)
{
    private const long Free = 0;
    private const long Busy = -1;

    private readonly int[] _issued = new int[keys];

    // The state of each key: free, busy, or the time in ns at which the last write ended with an unknown result.
    private readonly long[] _states = new long[keys];

    /// <summary>Returns the last version whose write was started.</summary>
    public int Issued(int key) => Volatile.Read(ref _issued[key]);

    /// <summary>
    /// Reserves a key for the caller and returns the next version to write. Returns 0 if another caller is writing the key, or if the last write of the key may
    /// still arrive.
    /// </summary>
    public int TryBegin(int key, long nowNs)
    {
        long state = Volatile.Read(ref _states[key]);
        bool isOpen = state == Free || (state > Free && nowNs - state > settleNs);
        return isOpen && Interlocked.CompareExchange(ref _states[key], Busy, state) == state ? Interlocked.Increment(ref _issued[key]) : 0;
    }

    /// <summary>Releases the key after a successful write.</summary>
    public void Finished(int key) => Volatile.Write(ref _states[key], Free);

    /// <summary>Marks the key after a failed write. The server may have applied the write, may still apply it, or may never apply it.</summary>
    public void Unknown(int key, long nowNs) => Volatile.Write(ref _states[key], Math.Max(1, nowNs));

    /// <summary>
    /// Records that a read returned the given version. If this is the version of the last write and its result was unknown, the write was applied, so the key
    /// may be written again.
    /// </summary>
    public void Seen(int key, int version)
    {
        long state = Volatile.Read(ref _states[key]);
        if (state > Free && version == Issued(key))
        {
            Interlocked.CompareExchange(ref _states[key], Free, state);
        }
    }

    /// <summary>Returns the number of keys whose last write ended with an unknown result.</summary>
    public int Unsettled() => _states.Count(static state => state > Free);
}
