namespace Larder.Redis;

/// <summary>
/// Detects that a node sends nothing although commands are outstanding (FLEET-5). If the machine or the process was suspended, that time does not count as
/// silence, because replies may have arrived that have not been read yet. The caller provides the timestamps. Guarded by the connection's lock, except for
/// <see cref="OnHeard"/>.
/// </summary>
/// <param name="limit">The maximum silence, in timestamp ticks.</param>
internal sealed class NodeWatchdog(long limit)
{
    // The maximum time that one check can add. Checks are 10 ms apart. A gap longer than a quarter of the limit is therefore not a late timer but a suspension.
    private readonly long _maxPerCheck = limit / 4;

    // The total of the times that the checks added, and the value of this total when the node last sent something.
    private long _watched;
    private long _heardAt;
    private long _lookedAt;

    /// <summary>Restarts the measurement. Must be called when a command is sent and no other command is outstanding.</summary>
    public void OnFirstCall(long now)
    {
        _lookedAt = now;
        Volatile.Write(ref _heardAt, _watched);
    }

    /// <summary>Records that the node has sent something. Thread-safe.</summary>
    public void OnHeard() => Volatile.Write(ref _heardAt, Volatile.Read(ref _watched));

    /// <summary>Returns whether the node has been silent for longer than the limit.</summary>
    public bool IsSilent(long now, int outstanding)
    {
        long since = Math.Clamp(now - _lookedAt, 0, _maxPerCheck);
        _lookedAt = now;
        Volatile.Write(ref _watched, _watched + since);
        return outstanding > 0 && _watched - Volatile.Read(ref _heardAt) >= limit;
    }
}
