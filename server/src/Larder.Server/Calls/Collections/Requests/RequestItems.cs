using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Larder.Store.Collections;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// The elements of a request, stored as offsets into the request's bytes. Up to 64 elements are stored in an array that each thread keeps. More elements are
/// stored in a rented block. A thread may use only one instance at a time.
/// </summary>
internal ref struct RequestItems
{
    /// <summary>
    /// The maximum number of elements of a request. A request of 11 MB can contain empty elements of 2 bytes each, whose offsets would need 132 MB; the limit
    /// reduces this to 24 MB. If the elements have 5 bytes or more, the limit of the request size is reached first.
    /// </summary>
    public const int Most = 1 << 20;

    // An array of this many elements takes 1.5 KB.
    private const int Few = 64;

    [ThreadStatic]
    private static CollectionItem[]? s_few;

    private Span<CollectionItem> _items;
    private ArraySegment<byte> _block;

    public RequestItems()
    {
        _items = s_few ??= new CollectionItem[Few];
        _block = ArraySegment<byte>.Empty;
    }

    public int Count { get; private set; }

    /// <summary>Gets the total size of the elements in bytes.</summary>
    public long Bytes { get; private set; }

    public bool HasEmptyName { get; private set; }

    /// <summary>Gets whether an element has a score that is NaN.</summary>
    public bool HasNoNumber { get; private set; }

    /// <summary>Gets whether the request contains more than <see cref="Most"/> elements.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Returns the elements together with the message that contains their bytes.</summary>
    public readonly CollectionBatch In(ReadOnlySpan<byte> message) => new(message, _items[..Count]);

    public void Add(in CollectionItem item)
    {
        if (Count == _items.Length && !TryGrow())
        {
            IsOver = true;
            return;
        }

        _items[Count++] = item;
        Bytes += item.NameLength + item.ValueLength;
        HasEmptyName |= item.NameLength == 0;
        HasNoNumber |= double.IsNaN(item.Score);
    }

    public void Clear()
    {
        Count = 0;
        Bytes = 0;
        HasEmptyName = false;
        HasNoNumber = false;
    }

    /// <summary>Adds the elements in the repeated field 1 of a nested message.</summary>
    /// <param name="request">The request.</param>
    /// <param name="at">The offset of the nested message in the request.</param>
    /// <param name="length">The length of the nested message.</param>
    /// <returns>False if the nested message is malformed.</returns>
    public bool AddAll(scoped ReadOnlySpan<byte> request, int at, int length)
    {
        ProtoReader reader = new(request.Slice(at, length));
        while (reader.NextField())
        {
            if (!reader.Is(1, ProtoWireType.LengthDelimited))
            {
                reader.TrySkip();
            }
            else if (reader.TryReadBytes(out ReadOnlySpan<byte> element))
            {
                Add(new CollectionItem(at + reader.Position - element.Length, element.Length));
            }

            if (reader.IsMalformed)
            {
                break;
            }
        }

        return !reader.IsMalformed;
    }

    public readonly void Dispose()
    {
        if (_block.Count > 0)
        {
            LargeBlocks.Return(_block);
        }
    }

    private bool TryGrow()
    {
        if (Count >= Most)
        {
            return false;
        }

        int most = Math.Min(4 * Count, Most);
        ArraySegment<byte> larger = LargeBlocks.Rent(most * Unsafe.SizeOf<CollectionItem>());
        Span<CollectionItem> items = MemoryMarshal.Cast<byte, CollectionItem>(larger.AsSpan())[..most];
        _items[..Count].CopyTo(items);
        Dispose();
        _block = larger;
        _items = items;
        return true;
    }
}
