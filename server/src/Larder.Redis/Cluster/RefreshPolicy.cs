namespace Larder.Redis;

/// <summary>Decides when the slot map is read, and from which node (FLEET-2). Not thread-safe.</summary>
internal sealed class RefreshPolicy
{
    /// <summary>The minimum time between two reads: 100 ms. While a slot moves, each command for that slot requests a read.</summary>
    public static readonly TimeSpan Least = TimeSpan.FromMilliseconds(100);

    /// <summary>The maximum time between two reads: 10 s, so that changes that affect no command are also noticed.</summary>
    public static readonly TimeSpan Most = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The maximum time between two reads while near caches exist: 1 s. If a slot and its keys are moved to another master, the near caches are not notified.
    /// While all reads are served from copies, no command fails that would reveal the move.
    /// </summary>
    public static readonly TimeSpan WhileTracking = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The maximum time between two reads while a master is unreachable: 500 ms. Reads are needed because the takeover by a replica is not announced.
    /// </summary>
    public static readonly TimeSpan WhileDegraded = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// After a master has become unreachable, the map is read every <see cref="Least"/> for this time: 15 s. A failover is shorter, because the other nodes
    /// detect the failure after the node timeout of 4 s, and elect a new master within at most 4 s more (FLEET-9).
    /// </summary>
    public static readonly TimeSpan LongestFailover = TimeSpan.FromSeconds(15);

    private TimeSpan? _readAt;
    private TimeSpan? _degradedAt;
    private TimeSpan _nextPossible = TimeSpan.Zero;
    private RedisNode? _preferred;
    private bool _isWanted;

    /// <summary>Gets whether a read is in progress.</summary>
    public bool IsUnderWay { get; private set; }

    /// <summary>Gets whether a read is in progress or requested before its regular time.</summary>
    public bool IsUrgent => IsUnderWay || _isWanted;

    /// <summary>Requests a read because something has changed. <paramref name="knownBy"/> is a node that already has the new slot map, or null.</summary>
    public void Want(RedisNode? knownBy)
    {
        _isWanted = true;
        _preferred = knownBy ?? _preferred;
    }

    /// <summary>Returns true if the caller must read the slot map now.</summary>
    /// <param name="now">The time since an arbitrary fixed point.</param>
    /// <param name="isDegraded">Whether a master is unreachable.</param>
    /// <param name="isTracking">Whether near caches exist.</param>
    /// <param name="preferred">The node to ask; null for any.</param>
    public bool TryBegin(TimeSpan now, bool isDegraded, bool isTracking, out RedisNode? preferred)
    {
        preferred = null;
        _degradedAt = isDegraded ? _degradedAt ?? now : null;
        TimeSpan interval = _degradedAt is not { } since ? (isTracking ? WhileTracking : Most)
            : now - since < LongestFailover ? Least
            : WhileDegraded;
        bool isDue = _isWanted || _readAt is not { } readAt || now - readAt >= interval;
        if (IsUnderWay || now < _nextPossible || !isDue)
        {
            return false;
        }

        preferred = _preferred;
        _preferred = null;
        _isWanted = false;
        IsUnderWay = true;
        _nextPossible = now + Least;
        return true;
    }

    /// <summary>Records the end of a read. If the read failed, another read is requested.</summary>
    public void End(TimeSpan now, bool isRead)
    {
        IsUnderWay = false;
        _isWanted |= !isRead;
        _readAt = isRead ? now : _readAt;
    }
}
