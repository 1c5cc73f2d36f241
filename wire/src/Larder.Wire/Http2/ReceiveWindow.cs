namespace Larder.Wire.Http2;

/// <summary>
/// The flow-control window of a stream or a connection for what its peer may still send, on client and server (RFC 9113, 5.2). It is replenished half
/// a window at a time: few updates are sent, and a peer does not wait while its data is being read. Only the receiving thread counts arrivals; any
/// thread may count what was consumed.
/// </summary>
internal struct ReceiveWindow
{
    private int _left;
    private int _taken;
    private int _bytes;

    /// <summary>Sets the size of the window, in bytes, with nothing received.</summary>
    public void Open(int bytes)
    {
        _bytes = bytes;
        _taken = 0;
        Volatile.Write(ref _left, bytes);
    }

    /// <summary>Counts bytes that arrived. Returns false if they exceed the window.</summary>
    public bool TryReceive(int bytes) => Interlocked.Add(ref _left, -bytes) >= 0;

    /// <summary>Counts bytes that were consumed. Returns the size of the window update to send now, which is 0 until half the window is consumed.</summary>
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
