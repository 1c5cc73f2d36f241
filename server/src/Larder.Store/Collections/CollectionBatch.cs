namespace Larder.Store.Collections;

/// <summary>The items of one request, as offsets into the request's bytes. Names and values are copied only when they are stored.</summary>
/// <param name="bytes">The bytes that contain all names and values.</param>
/// <param name="items">The items, in order.</param>
public readonly ref struct CollectionBatch(ReadOnlySpan<byte> bytes, ReadOnlySpan<CollectionItem> items)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private readonly ReadOnlySpan<CollectionItem> _items = items;

    /// <summary>Gets the number of items.</summary>
    public int Count => _items.Length;

    /// <summary>Gets the total size of all names and values, in bytes.</summary>
    public long TotalBytes
    {
        get
        {
            long total = 0;
            foreach (ref readonly CollectionItem item in _items)
            {
                total += item.NameLength + item.ValueLength;
            }

            return total;
        }
    }

    /// <summary>Gets the size of the largest item (name plus value), in bytes.</summary>
    public int LargestBytes
    {
        get
        {
            int largest = 0;
            foreach (ref readonly CollectionItem item in _items)
            {
                largest = Math.Max(largest, item.NameLength + item.ValueLength);
            }

            return largest;
        }
    }

    /// <summary>Returns the field, member or element of the item at an index.</summary>
    public ReadOnlySpan<byte> NameAt(int index) => _bytes.Slice(_items[index].NameAt, _items[index].NameLength);

    /// <summary>Returns the value of the item at an index.</summary>
    public ReadOnlySpan<byte> ValueAt(int index) => _bytes.Slice(_items[index].ValueAt, _items[index].ValueLength);

    /// <summary>Returns the score of the item at an index.</summary>
    public double ScoreAt(int index) => _items[index].Score;
}
