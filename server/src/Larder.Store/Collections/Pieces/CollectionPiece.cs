using System.Buffers.Binary;

namespace Larder.Store.Collections;

/// <summary>
/// A piece of a collection: elements copied as an atomic snapshot. An element consists of the length of the name, the length of the value, the name, and the
/// value. The lengths have 7 bits per byte. A score is stored as a value of 8 bytes.
/// </summary>
/// <param name="mostElements">The maximum number of elements. It may be exceeded to keep elements in the same piece as the previous ones.</param>
/// <param name="mostBytes">
/// The maximum number of bytes. It may be exceeded by a single large element, or to keep elements in the same piece as the previous ones.
/// </param>
/// <param name="roomBytes">The initial capacity in bytes.</param>
internal sealed unsafe class CollectionPiece(
    int mostElements = CollectionPiece.MaxElements,
    int mostBytes = CollectionPiece.MostBytes,
    int roomBytes = CollectionPiece.MostBytes)
{
    /// <summary>
    /// The maximum number of elements of a piece in a snapshot. A write to the collection may have to wait until all of them are copied, which takes about 0.1
    /// µs for each.
    /// </summary>
    public const int MaxElements = 4096;

    /// <summary>The maximum number of bytes of a piece in a snapshot.</summary>
    public const int MostBytes = 192 << 10;

    private byte[] _bytes = new byte[roomBytes];
    private int _used;

    /// <summary>The number of elements.</summary>
    public int Elements { get; private set; }

    /// <summary>The encoded elements.</summary>
    public ReadOnlySpan<byte> Bytes => Memory.Span;

    /// <summary>The encoded elements. The memory is valid until the piece is cleared.</summary>
    public ReadOnlyMemory<byte> Memory => _bytes.AsMemory(0, _used);

    /// <summary>The collection's space at the time of the copy.</summary>
    public Space Space { get; set; } = null!;

    /// <summary>The expiry time of the collection.</summary>
    public long ExpiresAtMs { get; set; }

    /// <summary>The number of bytes in all blocks of the collection.</summary>
    public long ChargedBytes { get; set; }

    public void Clear() => Elements = _used = 0;

    /// <summary>Adds an element whose value is its score.</summary>
    public bool TryAdd(ReadOnlySpan<byte> name, double score, bool belongs = false)
    {
        Span<byte> value = stackalloc byte[sizeof(double)];
        BinaryPrimitives.WriteDoubleLittleEndian(value, score);
        return TryAdd(name, value, belongs);
    }

    /// <summary>
    /// Adds an element. Returns false, and changes nothing, if the piece is full. The first element is always added. So is an element that must be in the same
    /// piece as the previous ones (<paramref name="belongs"/> is true).
    /// </summary>
    public bool TryAdd(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value, bool belongs = false)
    {
        int size = PackedElements.SizeOf(name.Length, value.Length);
        if (!belongs && Elements > 0 && (_used + size > mostBytes || Elements >= mostElements))
        {
            return false;
        }

        if (_used + size > _bytes.Length)
        {
            Array.Resize(ref _bytes, Math.Max(_used + size, Math.Min(2 * _bytes.Length, mostBytes)));
        }

        fixed (byte* begin = &_bytes[_used])
        {
            byte* at = Lengths.Write(Lengths.Write(begin, name.Length), value.Length);
            name.CopyTo(new Span<byte>(at, name.Length));
            value.CopyTo(new Span<byte>(at + name.Length, value.Length));
        }

        _used += size;
        Elements++;
        return true;
    }

    /// <summary>Parses a piece into items that refer to its bytes.</summary>
    /// <returns>False if the bytes are not a valid piece of a collection of this type.</returns>
    public static bool TryParse(ReadOnlySpan<byte> piece, ItemType type, List<CollectionItem> elements)
    {
        elements.Clear();
        for (int at = 0; at < piece.Length;)
        {
            if (!TryReadLength(piece, ref at, out int name) || !TryReadLength(piece, ref at, out int value) || (long)name + value > piece.Length - at)
            {
                return false;
            }

            bool isScored = type == ItemType.SortedSet;
            if (type != ItemType.Dictionary && value != (isScored ? sizeof(double) : 0))
            {
                return false;
            }

            double score = isScored ? BinaryPrimitives.ReadDoubleLittleEndian(piece[(at + name)..]) : 0;
            if (double.IsNaN(score))
            {
                return false;
            }

            elements.Add(new CollectionItem(at, name, at + name, isScored ? 0 : value, score));
            at += name + value;
        }

        return true;
    }

    private static bool TryReadLength(ReadOnlySpan<byte> piece, ref int at, out int length)
    {
        length = 0;
        for (int shift = 0; at < piece.Length && shift < 7 * Lengths.MaxBytes; shift += 7)
        {
            byte part = piece[at++];
            length |= (part & 0x7F) << shift;
            if (part < 0x80)
            {
                return length >= 0;
            }
        }

        return false;
    }
}
