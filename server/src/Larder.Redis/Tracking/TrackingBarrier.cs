namespace Larder.Redis;

/// <summary>
/// Determines when all messages that the nodes sent before a moment have been received: when a read on every tracked connection, started after that
/// moment, has completed. There is one attempt at a time. Requests that arrive during an attempt share the next one. A failed attempt is followed by
/// another. It has no side effects and is used by one thread at a time.
/// </summary>
internal sealed class TrackingBarrier
{
    /// <summary>
    /// The minimum time between the starts of two attempts: 100 ms, regardless of the number of requests, and so that an unresponsive node is not
    /// queried continuously. It is short enough for a lease of three seconds that is renewed each second.
    /// </summary>
    public static readonly TimeSpan Least = TimeSpan.FromMilliseconds(100);

    private long _begun;
    private long _wanted;
    private int _left;
    private bool _hasFailed;
    private TimeSpan _notBefore = TimeSpan.MinValue;

    /// <summary>Gets whether an attempt is in progress or requested.</summary>
    public bool IsUrgent => _left > 0 || _wanted > _begun;

    /// <summary>Requests an attempt that starts after this call. Returns the number of the first attempt that counts.</summary>
    public long Ask() => _wanted = _begun + 1;

    /// <summary>Returns whether an attempt must start. The caller then holds one part of it, and must end that part after adding all others.</summary>
    /// <param name="now">The time since an arbitrary fixed point.</param>
    public bool TryBegin(TimeSpan now)
    {
        if (_left > 0 || _wanted <= _begun || now < _notBefore)
        {
            return false;
        }

        _begun++;
        _left = 1;
        _hasFailed = false;
        _notBefore = now + Least;
        return true;
    }

    /// <summary>Adds a part: a read that is about to be sent.</summary>
    public void Add() => _left++;

    /// <summary>Ends a part. Returns the number of the attempt if that was the last part and all parts succeeded; otherwise 0.</summary>
    public long End(bool isGood)
    {
        _hasFailed |= !isGood;
        if (--_left > 0)
        {
            return 0;
        }

        if (_hasFailed)
        {
            _wanted = _begun + 1;
            return 0;
        }

        return _begun;
    }
}
