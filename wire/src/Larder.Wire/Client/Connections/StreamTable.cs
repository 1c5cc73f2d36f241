using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// The open streams by id. The reader of the connection reads the table without the connection's lock. Changes require the lock, except for
/// <see cref="Remove"/>, which the reader may also call without the lock.
/// <para>
/// Design. The slot of a stream is computed from its id. Ids only increase, and HTTP/2 allows a client to skip ids. So an id whose slot is occupied by a
/// long-lived stream is skipped. The table therefore needs no hashing and never grows. At most half of the slots are occupied, so a free id is found quickly.
/// </para>
/// </summary>
internal sealed class StreamTable
{
    // The number of slots. It is the next power of two above twice the maximum number of streams.
    private const int Places = 2_048;

    // The highest ids are not used, so that skipping ids never exceeds the maximum id.
    private const int LastId = int.MaxValue - (4 * Places);

    private readonly Http2Stream?[] _places = new Http2Stream?[Places];
    private int _nextId = 1;

    /// <summary>Gets whether the ids are exhausted (RFC 9113, section 5.1.1). The connection then accepts no more calls.</summary>
    public bool IsSpent => _nextId > LastId;

    /// <summary>Returns the id of the next stream.</summary>
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

    /// <summary>
    /// Returns the stream in the slot of this id, or null. The stream may have another id with the same slot, so the caller must check the id.
    /// </summary>
    public Http2Stream? At(int id) => Volatile.Read(ref _places[PlaceOf(id)]);

    /// <summary>Returns true if a stream with this id was never opened.</summary>
    public bool IsIdle(int id) => (id & 1) == 0 || id >= Volatile.Read(ref _nextId);

    /// <summary>Returns all open streams.</summary>
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
