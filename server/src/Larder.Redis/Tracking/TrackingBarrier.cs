namespace Larder.Redis;

/// <summary>
/// Determines when all messages that the nodes sent before a request have been received. This is the case when, on every tracked connection, a read that
/// started after the request has completed. An attempt consists of one read per connection. Only one attempt runs at a time. Requests that arrive during an
/// attempt share the next attempt. A failed attempt is repeated. This class only keeps the state; the caller sends the reads. Not thread-safe.
/// </summary>
internal sealed class TrackingBarrier
{
    /// <summary>
    /// The minimum time between the starts of two attempts: 100 ms. It applies regardless of the number of requests, and prevents continuous queries to an
    /// unresponsive node. It is short enough for a lease of three seconds that is renewed each second.
    /// </summary>
    public static readonly TimeSpan Least = TimeSpan.FromMilliseconds(100);

    private long _begun;
    private long _wanted;
    private int _left;
    private bool _hasFailed;
    private TimeSpan _notBefore = TimeSpan.MinValue;

    /// <summary>Gets whether an attempt is in progress or requested.</summary>
    public bool IsUrgent => _left > 0 || _wanted > _begun;

    /// <summary>Requests an attempt that starts after this call. Returns the number of this attempt.</summary>
    public long Ask() => _wanted = _begun + 1;

    /// <summary>
    /// Starts an attempt if one is due. Returns true if it was started. The new attempt has one part, which the caller must end after it has added all other
    /// parts.
    /// </summary>
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

    /// <summary>Adds a part to the attempt: a read that is about to be sent.</summary>
    public void Add() => _left++;

    /// <summary>Ends a part. If this was the last part and all parts succeeded, returns the number of the attempt. Otherwise returns 0.</summary>
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
