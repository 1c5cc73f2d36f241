namespace Larder.Wire;

/// <summary>
/// Pings and window updates that answers bring with them, and that are therefore no flood however many there are. gRPC's clients measure their bandwidth by one
/// ping for each answer that they read, and gRPC's servers forgive a ping after any frame of an answer; a client that gives back what it reads widens two
/// windows for each. Under the connection's lock.
/// </summary>
internal sealed class AnswerAllowance
{
    // The stream's window and the connection's.
    private const int UpdatesOfOneFrame = 2;

    // What a thousand answers that nobody reads yet bring, and some; more are not saved up.
    private const int MaxUpdates = 10_000;

    // A frame of an answer cut into smaller pieces, by a window that is widened byte by byte, brings nothing.
    private const int LeastBytes = 1_024;

    private bool _hasPing;
    private int _updates;

    /// <summary>A frame of an answer's data was sent.</summary>
    public void OnData(int bytes)
    {
        _hasPing = true;
        if (bytes >= LeastBytes)
        {
            Earn();
        }
    }

    /// <summary>An answer was sent to its end.</summary>
    public void OnAnswered()
    {
        _hasPing = true;
        Earn();
    }

    /// <summary>True where a frame of an answer was sent since the last ping.</summary>
    public bool TryTakePing()
    {
        bool has = _hasPing;
        _hasPing = false;
        return has;
    }

    /// <summary>True where a frame of an answer allows one more window update.</summary>
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
