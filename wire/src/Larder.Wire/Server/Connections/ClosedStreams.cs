namespace Larder.Wire;

/// <summary>
/// What a connection still knows of the streams that are no more. Where the server ended one that its client had not, the client may not know yet, and what it
/// sends on is dropped; on any other it breaks a rule (RFC 9113, 5.1). Under the connection's lock.
/// </summary>
/// <remarks>Bounds: the last 256 that the server ended, before which all are taken for such, and the last 16 gaps between ids.</remarks>
internal sealed class ClosedStreams
{
    private const int MaxEnded = 256;
    private const int MaxGaps = 16;

    // Made when first needed: most connections never do.
    private int[]? _ended;
    private (int From, int To)[]? _gaps;
    private int _endedCount;
    private int _gapCount;
    private int _lastForgotten;

    /// <summary>The server ended a stream that its client may still send on.</summary>
    public void OnEnded(int id)
    {
        _ended ??= new int[MaxEnded];
        ref int place = ref _ended[_endedCount++ % MaxEnded];
        _lastForgotten = Math.Max(_lastForgotten, place);
        place = id;
    }

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

    /// <summary>True where the server ended the stream and its client may still send on it.</summary>
    public bool MayStillArrive(int id) => id <= _lastForgotten || (_ended is not null && _ended.AsSpan().Contains(id));

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
