namespace Larder.Wire.Http2;

/// <summary>
/// The receive window of a stream or a connection, on client and server (RFC 9113, section 5.2). It limits what the peer may still send. The window is
/// replenished half a window at a time, so that few updates are sent and the peer does not wait while its data is being read. Only the receiving thread counts
/// received bytes. Any thread may count consumed bytes.
/// </summary>
internal struct ReceiveWindow
{
    private int _left;
    private int _taken;
    private int _bytes;

    /// <summary>Sets the size of the window, in bytes, and resets the counts.</summary>
    public void Open(int bytes)
    {
        _bytes = bytes;
        _taken = 0;
        Volatile.Write(ref _left, bytes);
    }

    /// <summary>Counts received bytes. Returns false if they exceed the window.</summary>
    public bool TryReceive(int bytes) => Interlocked.Add(ref _left, -bytes) >= 0;

    /// <summary>
    /// Counts bytes that were consumed. Returns the size of the window update that must be sent now. It is 0 until half of the window is consumed.
    /// </summary>
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
