namespace Larder.Redis;

/// <summary>
/// Determines when all messages that the nodes sent before a request have been received. An attempt starts after the request and performs one read on every
/// tracked connection. If all these reads complete, all earlier messages have been received. Only one attempt runs at a time. Requests that arrive during an
/// attempt share the next attempt. A failed attempt is repeated. This class only keeps the state. The caller sends the reads. Not thread-safe.
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
    /// Starts an attempt if one is due. Returns true if it was started. The caller must then call <see cref="Add"/> for each read, and <see cref="End"/> when
    /// this read ends. After it has added all reads, the caller must call <see cref="End"/> one more time. This extra call prevents the attempt from ending
    /// while reads are being added.
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

    /// <summary>Adds a read that is about to be sent to the attempt.</summary>
    public void Add() => _left++;

    /// <summary>
    /// Records the end of a read, or the extra call after all reads were added (see <see cref="TryBegin"/>). Returns the number of the attempt if it has now
    /// completed successfully, otherwise 0.
    /// </summary>
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
