namespace Larder.Wire;

/// <summary>
/// Pings and window updates that responses naturally cause, and that are therefore not counted as a flood. gRPC clients measure their bandwidth with
/// one ping per response that they read, and gRPC servers allow a ping after any frame of a response. A client that returns credit for what it reads
/// updates two windows per frame. Guarded by the connection's lock.
/// </summary>
internal sealed class AnswerAllowance
{
    // The stream's window and the connection's window.
    private const int UpdatesOfOneFrame = 2;

    // The updates that a thousand unread responses allow, with some margin. No more than that accumulate.
    private const int MaxUpdates = 10_000;

    // Smaller DATA frames allow no updates: otherwise a client that opens its window byte by byte would be allowed any number of updates.
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

    /// <summary>Returns true if a frame of a response was sent since the last ping.</summary>
    public bool TryTakePing()
    {
        bool has = _hasPing;
        _hasPing = false;
        return has;
    }

    /// <summary>Returns true if the responses sent so far allow another window update.</summary>
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
