using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// A first-in, first-out queue of streams. The links are in the streams, so a stream that ends is removed in constant time, and the queue allocates nothing.
/// The caller must hold the connection's lock.
/// </summary>
internal sealed class StreamQueue
{
    private Http2Stream? _first;
    private Http2Stream? _last;

    public int Count { get; private set; }

    public Http2Stream? First => _first;

    public void Add(Http2Stream stream)
    {
        stream.Queue = this;
        stream.Previous = _last;
        if (_last is null)
        {
            _first = stream;
        }
        else
        {
            _last.Next = stream;
        }

        _last = stream;
        Count++;
    }

    /// <summary>Removes a stream. Does nothing if the stream is not in this queue.</summary>
    public void Remove(Http2Stream stream)
    {
        if (stream.Queue != this)
        {
            return;
        }

        if (stream.Previous is null)
        {
            _first = stream.Next;
        }
        else
        {
            stream.Previous.Next = stream.Next;
        }

        if (stream.Next is null)
        {
            _last = stream.Previous;
        }
        else
        {
            stream.Next.Previous = stream.Previous;
        }

        stream.Queue = null;
        stream.Next = null;
        stream.Previous = null;
        Count--;
    }

    /// <summary>Removes and returns the first stream. The queue must not be empty.</summary>
    public Http2Stream TakeFirst()
    {
        Http2Stream first = _first!;
        Remove(first);
        return first;
    }

    public IEnumerable<Http2Stream> All()
    {
        for (Http2Stream? stream = _first; stream is not null; stream = stream.Next)
        {
            yield return stream;
        }
    }
}
