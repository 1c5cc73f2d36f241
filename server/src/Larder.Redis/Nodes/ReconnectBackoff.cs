namespace Larder.Redis;

/// <summary>Decides when a lost connection is reopened: immediately if it had been stable, otherwise after an increasing wait. Not thread-safe.</summary>
internal sealed class ReconnectBackoff
{
    /// <summary>The wait after the first failure: 20 ms, because a server that restarts is not available immediately.</summary>
    public static readonly TimeSpan First = TimeSpan.FromMilliseconds(20);

    /// <summary>The maximum wait before randomization: 1 s. FLEET-9 allows 8 s, and the failover itself takes 5.5 s to 7.7 s of this time.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromSeconds(1);

    /// <summary>
    /// A connection that is lost within this time after it was opened counts as a failure, because some servers accept a connection and close it immediately.
    /// </summary>
    public static readonly TimeSpan MinLife = TimeSpan.FromSeconds(1);

    private int _failures;
    private TimeSpan _notBefore = TimeSpan.MinValue;
    private TimeSpan? _connectedAt;

    /// <summary>Returns whether a connection may be attempted now.</summary>
    public bool MayConnect(TimeSpan now) => now >= _notBefore;

    /// <summary>Records that a connection was opened.</summary>
    public void OnConnected(TimeSpan now) => _connectedAt = now;

    /// <summary>Records that a connection failed or was lost.</summary>
    /// <param name="now">The time since an arbitrary fixed point.</param>
    /// <param name="random">A random number of at least 0 and less than 1. It changes the wait by at most 25 % in either direction.</param>
    public void OnEnded(TimeSpan now, double random)
    {
        bool held = _connectedAt is { } at && now - at >= MinLife;
        _connectedAt = null;
        _failures = held ? 0 : _failures + 1;
        double wait = _failures == 0
            ? 0
            : Math.Min(First.TotalMilliseconds * Math.Pow(2, Math.Min(_failures - 1, 16)), Longest.TotalMilliseconds) * (0.75 + (random / 2));
        _notBefore = now + TimeSpan.FromMilliseconds(wait);
    }
}
