namespace Larder.Redis;

/// <summary>When a lost connection is made again: at once where it had held, then later each time. Not thread-safe.</summary>
internal sealed class ReconnectBackoff
{
    /// <summary>The wait after the first failure, 20 ms: a server that restarts is not there yet.</summary>
    public static readonly TimeSpan First = TimeSpan.FromMilliseconds(20);

    /// <summary>The longest wait, 1 s: of FLEET-9's 8 s a failover itself takes 5.5 to 7.7.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromSeconds(1);

    /// <summary>A connection that held for less counts as one that failed: something accepts and hangs up.</summary>
    public static readonly TimeSpan LeastLife = TimeSpan.FromSeconds(1);

    private int _failures;
    private TimeSpan _notBefore = TimeSpan.MinValue;
    private TimeSpan? _connectedAt;

    /// <summary>Whether it may be tried now.</summary>
    public bool MayConnect(TimeSpan now) => now >= _notBefore;

    /// <summary>It was made.</summary>
    public void OnConnected(TimeSpan now) => _connectedAt = now;

    /// <summary>It could not be made, or was lost.</summary>
    /// <param name="now">Since any point in time.</param>
    /// <param name="random">From 0 up to 1; a quarter more or less of the wait is random.</param>
    public void OnEnded(TimeSpan now, double random)
    {
        bool held = _connectedAt is { } at && now - at >= LeastLife;
        _connectedAt = null;
        _failures = held ? 0 : _failures + 1;
        double wait = _failures == 0
            ? 0
            : Math.Min(First.TotalMilliseconds * Math.Pow(2, Math.Min(_failures - 1, 16)), Longest.TotalMilliseconds) * (0.75 + (random / 2));
        _notBefore = now + TimeSpan.FromMilliseconds(wait);
    }
}
