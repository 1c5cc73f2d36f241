namespace Larder.Wire.Http2.Hpack;

/// <summary>The fields that a connection has sent before, newest first, within a size: RFC 7541, 2.3.2 and 4.</summary>
internal sealed class HpackDynamicTable(int maxSize)
{
    private HeaderField[] _ring = new HeaderField[16];
    private int _newest;

    public int Count { get; private set; }

    public int Size { get; private set; }

    public int MaxSize { get; private set; } = maxSize;

    /// <summary>The field at <paramref name="index"/>, 0 for the newest.</summary>
    public HeaderField At(int index) => _ring[(_newest + index) % _ring.Length];

    /// <summary>Changes the size; the oldest fields go as far as needed.</summary>
    public void Resize(int maxSize)
    {
        MaxSize = maxSize;
        EvictDownTo(maxSize);
    }

    /// <summary>Adds a field. One larger than the table empties it and is not added: RFC 7541, 4.4.</summary>
    public void Add(HeaderField field)
    {
        EvictDownTo(Math.Max(0, MaxSize - field.Size));
        if (field.Size > MaxSize)
        {
            return;
        }

        if (Count == _ring.Length)
        {
            Grow();
        }

        _newest = (_newest + _ring.Length - 1) % _ring.Length;
        _ring[_newest] = field;
        Count++;
        Size += field.Size;
    }

    private void EvictDownTo(int size)
    {
        while (Size > size)
        {
            int oldest = (_newest + Count - 1) % _ring.Length;
            Size -= _ring[oldest].Size;
            _ring[oldest] = null!;
            Count--;
        }
    }

    // Bounded: a field counts for 32 bytes at least, so there are at most MaxSize / 32.
    private void Grow()
    {
        HeaderField[] larger = new HeaderField[_ring.Length * 2];
        for (int index = 0; index < Count; index++)
        {
            larger[index] = At(index);
        }

        _ring = larger;
        _newest = 0;
    }
}
