namespace Larder.Wire;

/// <summary>
/// Counts the pings and window updates with which a client normally reacts to responses. These frames do not count as a flood. gRPC clients measure their
/// bandwidth with one ping per response that they read, and gRPC servers allow a ping after any frame of a response. A client that updates its windows for
/// each DATA frame that it reads sends two updates per frame. Guarded by the connection's lock.
/// </summary>
internal sealed class AnswerAllowance
{
    // The number of updates that one frame allows: one of the stream's window and one of the connection's window.
    private const int UpdatesOfOneFrame = 2;

    // The maximum number of allowed updates that can accumulate. It is enough for a thousand unread responses, with some margin.
    private const int MaxUpdates = 10_000;

    // The minimum size of a DATA frame that allows updates. If smaller frames allowed updates, a client that opens its window byte by byte could send any
    // number of updates.
    private const int MinBytes = 1_024;

    private bool _hasPing;
    private int _updates;

    /// <summary>Records that a DATA frame of a response was sent.</summary>
    public void OnData(int bytes)
    {
        _hasPing = true;
        if (bytes >= MinBytes)
        {
            Earn();
        }
    }

    /// <summary>Records that a response was sent completely.</summary>
    public void OnAnswered()
    {
        _hasPing = true;
        Earn();
    }

    /// <summary>Returns whether a ping is allowed, because a frame of a response was sent since the last ping.</summary>
    public bool TryTakePing()
    {
        bool has = _hasPing;
        _hasPing = false;
        return has;
    }

    /// <summary>Returns whether the responses sent so far allow another window update.</summary>
    public bool TryTakeUpdate()
    {
        if (_updates == 0)
        {
            return false;
        }

        _updates--;
        return true;
    }

    private void Earn() => _updates = Math.Min(MaxUpdates, _updates + UpdatesOfOneFrame);
}
