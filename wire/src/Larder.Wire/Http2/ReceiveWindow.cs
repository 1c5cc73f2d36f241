namespace Larder.Wire.Http2;

/// <summary>
/// What a peer may still send, of a stream or of a connection, in both roles (RFC 9113, 5.2). It is given back half a window at a time: updates are few, and a
/// peer never waits for one while it is read. What arrives is counted by the thread that receives, what is taken by any.
/// </summary>
internal struct ReceiveWindow
{
    private int _left;
    private int _taken;
    private int _bytes;

    /// <summary>Makes it so wide, in bytes, with nothing received.</summary>
    public void Open(int bytes)
    {
        _bytes = bytes;
        _taken = 0;
        Volatile.Write(ref _left, bytes);
    }

    /// <summary>Counts bytes that arrived; false where they are more than the peer might send.</summary>
    public bool TryReceive(int bytes) => Interlocked.Add(ref _left, -bytes) >= 0;

    /// <summary>Counts bytes that were taken; returns what the peer is to be given back now, which is 0 until half the window is taken.</summary>
    public int Take(int bytes)
    {
        if (Interlocked.Add(ref _taken, bytes) < _bytes / 2)
        {
            return 0;
        }

        int credit = Interlocked.Exchange(ref _taken, 0);
        Interlocked.Add(ref _left, credit);
        return credit;
    }
}
