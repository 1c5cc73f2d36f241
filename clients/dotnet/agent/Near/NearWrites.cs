namespace Larder.Agent;

/// <summary>
/// The versions of the keys that this process writes. A key is written by one caller at a time; after a write whose end is unknown, which the server may still
/// make, not at all until that write was seen or can come no more. So versions reach the server in order. Pure, and safe from any thread.
/// </summary>
/// <param name="keys">Number of keys.</param>
/// <param name="settleNs">After this many ns a write whose end is unknown can come no more.</param>
internal sealed class NearWrites(int keys, long settleNs)
{
    private const long Free = 0;
    private const long Busy = -1;

    private readonly int[] _issued = new int[keys];

    // Free, busy, or when the last write ended unknown, in ns.
    private readonly long[] _states = new long[keys];

    /// <summary>The last version that was begun.</summary>
    public int Issued(int key) => Volatile.Read(ref _issued[key]);

    /// <summary>The next version of a key to write, which is the caller's until it has ended; 0: it is another's, or not settled.</summary>
    public int TryBegin(int key, long nowNs)
    {
        long state = Volatile.Read(ref _states[key]);
        bool isOpen = state == Free || (state > Free && nowNs - state > settleNs);
        return isOpen && Interlocked.CompareExchange(ref _states[key], Busy, state) == state ? Interlocked.Increment(ref _issued[key]) : 0;
    }

    /// <summary>The write has ended with success.</summary>
    public void Finished(int key) => Volatile.Write(ref _states[key], Free);

    /// <summary>The write has ended with an error: it was made, is yet to be made, or is not.</summary>
    public void Unknown(int key, long nowNs) => Volatile.Write(ref _states[key], Math.Max(1, nowNs));

    /// <summary>A read found this version: if the last write's end was unknown, it was made, and only once.</summary>
    public void Seen(int key, int version)
    {
        long state = Volatile.Read(ref _states[key]);
        if (state > Free && version == Issued(key))
        {
            Interlocked.CompareExchange(ref _states[key], Free, state);
        }
    }

    /// <summary>Keys that wait to be settled.</summary>
    public int Unsettled() => _states.Count(static state => state > Free);
}
