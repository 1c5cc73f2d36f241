namespace Larder.Wire;

/// <summary>
/// What a connection still knows of the streams that are no more. Where the server ended one that its client had not, the client may not know yet, and what it
/// sends on is dropped. On one that its client has reset it is told so, and on any other it breaks the connection's rules (RFC 9113, 5.1). Under the
/// connection's lock.
/// </summary>
/// <remarks>
/// Bounds: the last 256 that the server ended and as many that the client did, before which what arrives is dropped, and the last 16 gaps between ids.
/// </remarks>
internal sealed class ClosedStreams
{
    private const int MaxGaps = 16;

    private readonly RecentStreams _ended = new();
    private readonly RecentStreams _reset = new();
    private (int From, int To)[]? _gaps;
    private int _gapCount;

    /// <summary>The server ended a stream that its client may still send on.</summary>
    public void OnEnded(int id) => _ended.Add(id);

    /// <summary>The client reset a stream.</summary>
    public void OnReset(int id) => _reset.Add(id);

    /// <summary>The client opened <paramref name="id"/> after <paramref name="last"/>: the ids between them were never used, and never will be.</summary>
    public void OnOpened(int last, int id)
    {
        // Ids of a client are odd: the next after 5 is 7, and the first is 1, after 0.
        if (id > last + 2)
        {
            _gaps ??= new (int, int)[MaxGaps];
            _gaps[_gapCount++ % MaxGaps] = (last, id);
        }
    }

    /// <summary>True where the server ended the stream and its client may still send on it, or where that is not known any more.</summary>
    public bool MayStillArrive(int id) => _ended.Contains(id) || _ended.MayHaveForgotten(id) || _reset.MayHaveForgotten(id);

    /// <summary>True where the client has reset the stream.</summary>
    public bool WasReset(int id) => _reset.Contains(id);

    /// <summary>True where no stream of this id was ever opened, though one after it was.</summary>
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
