using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// Streams in the order in which they came. The links are in the streams, so that one that ends leaves at once, and nothing is allocated. Under the
/// connection's lock.
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

    /// <summary>Takes a stream out; nothing where it is not here.</summary>
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

    /// <summary>Takes the first one out. There is one.</summary>
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
