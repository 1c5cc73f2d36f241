using System.Buffers.Binary;

namespace Larder.Store.Collections;

/// <summary>
/// Some elements of a collection, copied out as they are at one moment: one after another, each the lengths of its name and value, 7 bits a byte, and both. A
/// score is a value of 8 bytes.
/// </summary>
/// <param name="mostElements">Elements that it takes, but for those that belong to others.</param>
/// <param name="mostBytes">Bytes that it takes, but for a single element and what belongs to others.</param>
/// <param name="roomBytes">Bytes that there is room for from the beginning.</param>
internal sealed unsafe class CollectionPiece(
    int mostElements = CollectionPiece.MostElements,
    int mostBytes = CollectionPiece.MostBytes,
    int roomBytes = CollectionPiece.MostBytes)
{
    /// <summary>Elements of one in a snapshot: some 0.1 µs each, for as long as a write to the collection may have to wait.</summary>
    public const int MostElements = 4096;

    /// <summary>Bytes of one in a snapshot.</summary>
    public const int MostBytes = 192 << 10;

    private byte[] _bytes = new byte[roomBytes];
    private int _used;

    /// <summary>How many elements it has.</summary>
    public int Elements { get; private set; }

    /// <summary>The elements.</summary>
    public ReadOnlySpan<byte> Bytes => Memory.Span;

    /// <summary>The same, for as long as the piece is not cleared.</summary>
    public ReadOnlyMemory<byte> Memory => _bytes.AsMemory(0, _used);

    /// <summary>The collection's space when it was copied.</summary>
    public Space Space { get; set; } = null!;

    /// <summary>When the collection expires.</summary>
    public long ExpiresAtMs { get; set; }

    /// <summary>Bytes of all the collection's blocks.</summary>
    public long ChargedBytes { get; set; }

    public void Clear() => Elements = _used = 0;

    /// <summary>Adds an element of which the score is the value.</summary>
    public bool TryAdd(ReadOnlySpan<byte> name, double score, bool belongs = false)
    {
        Span<byte> value = stackalloc byte[sizeof(double)];
        BinaryPrimitives.WriteDoubleLittleEndian(value, score);
        return TryAdd(name, value, belongs);
    }

    /// <summary>Adds an element; false where it does not fit any more, unless it belongs to those that are there.</summary>
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

    /// <summary>Finds the elements of a piece, as items of its bytes.</summary>
    /// <returns>False where it is no piece of such a collection.</returns>
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
