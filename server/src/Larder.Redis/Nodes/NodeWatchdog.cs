namespace Larder.Redis;

/// <summary>
/// Notices that a node says nothing although calls are outstanding (FLEET-5). Time in which nobody looked, since the machine or this process stood still, is
/// not the node's silence: its answers may have come and not be read yet. Timestamps are the caller's. Under the connection's lock, but for
/// <see cref="OnHeard"/>.
/// </summary>
/// <param name="limit">How long that may last, in timestamps.</param>
internal sealed class NodeWatchdog(long limit)
{
    // Looks are 10 ms apart: a quarter of a second between two of them is no late timer.
    private readonly long _mostPerLook = limit / 4;

    // Time that was watched, and how much of it there was when the node was last heard.
    private long _watched;
    private long _heardAt;
    private long _lookedAt;

    /// <summary>A first call is outstanding from now on.</summary>
    public void OnFirstCall(long now)
    {
        _lookedAt = now;
        Volatile.Write(ref _heardAt, _watched);
    }

    /// <summary>The node has said something. On any thread.</summary>
    public void OnHeard() => Volatile.Write(ref _heardAt, Volatile.Read(ref _watched));

    /// <summary>Whether it is to be given up.</summary>
    public bool IsSilent(long now, int outstanding)
    {
        long since = Math.Clamp(now - _lookedAt, 0, _mostPerLook);
        _lookedAt = now;
        Volatile.Write(ref _watched, _watched + since);
        return outstanding > 0 && _watched - Volatile.Read(ref _heardAt) >= limit;
    }
}
