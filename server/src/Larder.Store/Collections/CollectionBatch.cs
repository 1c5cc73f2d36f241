namespace Larder.Store.Collections;

/// <summary>The items of one request, as places in its bytes: nothing is copied before it is stored.</summary>
/// <param name="bytes">The bytes that hold all names and values.</param>
/// <param name="items">The items, in order.</param>
public readonly ref struct CollectionBatch(ReadOnlySpan<byte> bytes, ReadOnlySpan<CollectionItem> items)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private readonly ReadOnlySpan<CollectionItem> _items = items;

    /// <summary>How many items.</summary>
    public int Count => _items.Length;

    /// <summary>Bytes of all names and values.</summary>
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

    /// <summary>Bytes of the largest item's name and value.</summary>
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

    /// <summary>The field, member or element of an item.</summary>
    public ReadOnlySpan<byte> NameAt(int index) => _bytes.Slice(_items[index].NameAt, _items[index].NameLength);

    /// <summary>The value of an item.</summary>
    public ReadOnlySpan<byte> ValueAt(int index) => _bytes.Slice(_items[index].ValueAt, _items[index].ValueLength);

    /// <summary>The score of an item.</summary>
    public double ScoreAt(int index) => _items[index].Score;
}
