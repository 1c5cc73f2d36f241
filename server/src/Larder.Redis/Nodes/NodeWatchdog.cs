namespace Larder.Redis;

/// <summary>
/// Detects that a node sends nothing although commands are outstanding (FLEET-5). If the machine or the process was suspended, that time does not
/// count as silence: replies may have arrived and not been read yet. The caller provides the timestamps. Guarded by the connection's lock, except for
/// <see cref="OnHeard"/>.
/// </summary>
/// <param name="limit">The maximum silence, in timestamp ticks.</param>
internal sealed class NodeWatchdog(long limit)
{
    // The maximum time that one check counts. Checks are 10 ms apart, so a gap of a quarter of a second is more than a late timer.
    private readonly long _maxPerCheck = limit / 4;

    // The time that was watched, and its value when the node last sent something.
    private long _watched;
    private long _heardAt;
    private long _lookedAt;

    /// <summary>Called when the first command becomes outstanding.</summary>
    public void OnFirstCall(long now)
    {
        _lookedAt = now;
        Volatile.Write(ref _heardAt, _watched);
    }

    /// <summary>Called when the node has sent something. Thread-safe.</summary>
    public void OnHeard() => Volatile.Write(ref _heardAt, Volatile.Read(ref _watched));

    /// <summary>Returns whether the node has been silent too long.</summary>
    public bool IsSilent(long now, int outstanding)
    {
        long since = Math.Clamp(now - _lookedAt, 0, _maxPerCheck);
        _lookedAt = now;
        Volatile.Write(ref _watched, _watched + since);
        return outstanding > 0 && _watched - Volatile.Read(ref _heardAt) >= limit;
    }
}
