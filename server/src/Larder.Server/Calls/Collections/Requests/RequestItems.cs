using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Larder.Store.Collections;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// The elements of one request, as places in its bytes. A few are kept in the thread's own array, more in a block that is lent for the call. A thread has one
/// at a time.
/// </summary>
internal ref struct RequestItems
{
    /// <summary>
    /// Elements at most. Without it 11 MB of empty ones, two bytes each, took 132 MB of places; so they take 24 MB. Elements of five bytes or more are bounded
    /// by the limit of a request's bytes before.
    /// </summary>
    public const int Most = 1 << 20;

    // 1.5 KB.
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

    /// <summary>How many.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes of all of them.</summary>
    public long Bytes { get; private set; }

    /// <summary>True where one has an empty name.</summary>
    public bool HasEmptyName { get; private set; }

    /// <summary>True where one has a score that is no number.</summary>
    public bool HasNoNumber { get; private set; }

    /// <summary>True where there were more than <see cref="Most"/>.</summary>
    public bool IsOver { get; private set; }

    /// <summary>The elements, among the bytes that they were found in.</summary>
    public readonly CollectionBatch In(ReadOnlySpan<byte> message) => new(message, _items[..Count]);

    /// <summary>Adds one.</summary>
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

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        Count = 0;
        Bytes = 0;
        HasEmptyName = false;
        HasNoNumber = false;
    }

    /// <summary>Adds the elements of a message whose field 1 repeats them.</summary>
    /// <param name="request">The request.</param>
    /// <param name="at">Where in it the message begins.</param>
    /// <param name="length">The message's length.</param>
    /// <returns>False where it is malformed.</returns>
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

    /// <summary>Gives back what was lent.</summary>
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
