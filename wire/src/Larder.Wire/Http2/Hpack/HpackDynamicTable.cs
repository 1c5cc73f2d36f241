namespace Larder.Wire.Http2.Hpack;

/// <summary>Contains the fields that were sent earlier on a connection, newest first, up to a maximum size (RFC 7541, sections 2.3.2 and 4).</summary>
internal sealed class HpackDynamicTable(int maxSize)
{
    private HeaderField[] _ring = new HeaderField[16];
    private int _newest;

    public int Count { get; private set; }

    public int Size { get; private set; }

    public int MaxSize { get; private set; } = maxSize;

    /// <summary>Returns the field at <paramref name="index"/>. Index 0 is the newest field.</summary>
    public HeaderField At(int index) => _ring[(_newest + index) % _ring.Length];

    /// <summary>Changes the maximum size and evicts the oldest fields until the remaining fields fit.</summary>
    public void Resize(int maxSize)
    {
        MaxSize = maxSize;
        EvictDownTo(maxSize);
    }

    /// <summary>Adds a field. A field larger than the table is not added, but it empties the table (RFC 7541, section 4.4).</summary>
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

    // The array is bounded, because each field counts for at least 32 bytes. So there are at most MaxSize / 32 fields.
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
