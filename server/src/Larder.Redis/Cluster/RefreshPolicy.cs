namespace Larder.Redis;

/// <summary>When the slot map is read, and of whom (FLEET-2). Not thread-safe.</summary>
internal sealed class RefreshPolicy
{
    /// <summary>100 ms between two readings at least: a slot that moves is told of by each command that meets it.</summary>
    public static readonly TimeSpan Least = TimeSpan.FromMilliseconds(100);

    /// <summary>10 s at most: what nobody's command has met is learnt by then.</summary>
    public static readonly TimeSpan Most = TimeSpan.FromSeconds(10);

    /// <summary>
    /// 1 s while there are near caches: a slot that is taken from its master with keys in it is no change of theirs, and nobody's command meets it where all
    /// is answered from copies.
    /// </summary>
    public static readonly TimeSpan WhileTracking = TimeSpan.FromSeconds(1);

    /// <summary>500 ms while a master cannot be reached: its replica takes its place without anybody's being told.</summary>
    public static readonly TimeSpan WhileDegraded = TimeSpan.FromMilliseconds(500);

    /// <summary>
    /// 15 s, in which a failover ends or there is none: after a node timeout of 4 s the others agree and elect within up to four more (FLEET-9). For as long
    /// it is read each <see cref="Least"/>.
    /// </summary>
    public static readonly TimeSpan LongestFailover = TimeSpan.FromSeconds(15);

    private TimeSpan? _readAt;
    private TimeSpan? _degradedAt;
    private TimeSpan _nextPossible = TimeSpan.Zero;
    private RedisNode? _preferred;
    private bool _isWanted;

    /// <summary>Whether one is under way.</summary>
    public bool IsUnderWay { get; private set; }

    /// <summary>Whether one is wanted before its regular time, or under way.</summary>
    public bool IsPressing => IsUnderWay || _isWanted;

    /// <summary>Something has changed; <paramref name="knownBy"/> knows what, where somebody does.</summary>
    public void Want(RedisNode? knownBy)
    {
        _isWanted = true;
        _preferred = knownBy ?? _preferred;
    }

    /// <summary>Whether it is read now; the caller then does.</summary>
    /// <param name="now">Since any point in time.</param>
    /// <param name="isDegraded">Whether a master cannot be reached.</param>
    /// <param name="isTracking">Whether there are near caches.</param>
    /// <param name="preferred">Whom to ask; null for anybody.</param>
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

    /// <summary>It was read, or could not be: then another is asked.</summary>
    public void End(TimeSpan now, bool isRead)
    {
        IsUnderWay = false;
        _isWanted |= !isRead;
        _readAt = isRead ? now : _readAt;
    }
}
