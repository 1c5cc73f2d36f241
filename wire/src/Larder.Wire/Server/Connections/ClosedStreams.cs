namespace Larder.Wire;

/// <summary>
/// Remembers the closed streams of a connection, to handle late frames (RFC 9113, section 5.1). If the server ended a stream before its client did, the client
/// may not know that yet, so its frames are dropped. A frame on a stream that the client itself has reset causes a stream error. A frame on any other closed
/// stream is a connection error. Guarded by the connection's lock.
/// </summary>
/// <remarks>
/// The object remembers the last 256 streams that the server ended, the last 256 that the client reset, and the last 16 gaps between ids. Frames of older
/// streams are dropped.
/// </remarks>
internal sealed class ClosedStreams
{
    private const int MaxGaps = 16;

    private readonly RecentStreams _ended = new();
    private readonly RecentStreams _reset = new();
    private (int From, int To)[]? _gaps;
    private int _gapCount;

    /// <summary>Records that the server ended a stream on which its client may still send.</summary>
    public void OnEnded(int id) => _ended.Add(id);

    /// <summary>Records that the client reset a stream.</summary>
    public void OnReset(int id) => _reset.Add(id);

    /// <summary>Records that the client opened <paramref name="id"/> after <paramref name="last"/>. The ids between them can no longer be used.</summary>
    public void OnOpened(int last, int id)
    {
        // The ids of a client's streams are odd. So 5 is followed by 7, and the first id, which is 1, follows 0.
        if (id > last + 2)
        {
            _gaps ??= new (int, int)[MaxGaps];
            _gaps[_gapCount++ % MaxGaps] = (last, id);
        }
    }

    /// <summary>
    /// Returns true if the server ended the stream and its client may still send on it. Also returns true if this information is no longer available.
    /// </summary>
    public bool MayStillArrive(int id) => _ended.Contains(id) || _ended.MayHaveForgotten(id) || _reset.MayHaveForgotten(id);

    /// <summary>Returns true if the client has reset the stream.</summary>
    public bool WasReset(int id) => _reset.Contains(id);

    /// <summary>Returns true if this id was never used, although a higher id was used.</summary>
    public bool WasSkipped(int id)
    {
        foreach ((int from, int to) in _gaps ?? [])
        {
            if (id > from && id < to)
            {
                return true;
            }
        }

        return false;
    }
}
