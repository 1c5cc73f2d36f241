using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// The open streams by their ids. Changed under the connection's lock, but for <see cref="Remove"/>, which the reader also does; read by the reader without it.
/// <para>
/// Design. A stream lies at the place that its id gives. Ids only rise, and HTTP/2 lets a client leave some out: an id whose place is taken, by a stream that
/// lives long, is skipped. So there is neither hashing nor growth, and with at most half the places taken an id is soon found.
/// </para>
/// </summary>
internal sealed class StreamTable
{
    // The power of two above twice the most streams.
    private const int Places = 2_048;

    // The last ids are left unused: skipping never passes them.
    private const int LastId = int.MaxValue - (4 * Places);

    private readonly Http2Stream?[] _places = new Http2Stream?[Places];
    private int _nextId = 1;

    /// <summary>True once the ids have run out (RFC 9113, 5.1.1): the connection then takes no more calls.</summary>
    public bool IsSpent => _nextId > LastId;

    /// <summary>The id of the next stream.</summary>
    public int TakeId()
    {
        while (_places[PlaceOf(_nextId)] is not null)
        {
            _nextId = _nextId + 2;
        }

        int id = _nextId;
        _nextId = id + 2;
        return id;
    }

    public void Add(Http2Stream stream) => Volatile.Write(ref _places[PlaceOf(stream.Id)], stream);

    public void Remove(int id) => Volatile.Write(ref _places[PlaceOf(id)], null);

    /// <summary>The stream that was opened with this id, or with another of the same place: the caller checks it. Null where there is none.</summary>
    public Http2Stream? At(int id) => Volatile.Read(ref _places[PlaceOf(id)]);

    /// <summary>True where a stream of this id was never opened.</summary>
    public bool IsIdle(int id) => (id & 1) == 0 || id >= Volatile.Read(ref _nextId);

    /// <summary>All the open streams.</summary>
    public IEnumerable<Http2Stream> All()
    {
        foreach (Http2Stream? stream in _places)
        {
            if (stream is not null)
            {
                yield return stream;
            }
        }
    }

    private static int PlaceOf(int id) => (id >> 1) & (Places - 1);
}
