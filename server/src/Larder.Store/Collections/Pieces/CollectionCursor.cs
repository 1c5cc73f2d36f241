using System.Buffers.Binary;

namespace Larder.Store.Collections;

/// <summary>
/// A position in a collection that is copied piece by piece while other calls change it. Each piece is an atomic snapshot. An element that exists during the
/// whole copy is copied exactly once, with its value at the time when its piece is copied. For lists whose middle changes, see <see cref="RemovalBehavior"/>.
/// </summary>
internal unsafe struct CollectionCursor(RemovalBehavior whenCut)
{
    /// <summary>The number of bytes of a serialized cursor.</summary>
    public const int Bytes = ShiftAt + sizeof(int);

    private const int RemovedAt = sizeof(ulong);
    private const int ShiftAt = RemovedAt + sizeof(long);

    private bool _isBegun;

    // For a list, the index of the next element. For other types, the bit-reversed hash that the walk has reached.
    private ulong _place;
    private int _shift;
    private long _removed;

    /// <summary>Whether the last piece reached the end of the collection.</summary>
    public bool IsDone { get; private set; }

    /// <summary>Copies the next elements. At least one element is copied, unless all have been copied already.</summary>
    /// <returns>False if a list's middle has changed since the last piece. In this case, nothing was copied.</returns>
    public bool TryCopy(CollectionRoot* root, CollectionPiece piece)
    {
        bool goesOn = root->Type != ItemType.List || TryFollow(root);
        if (goesOn)
        {
            IsDone = root->Type == ItemType.List ? CopyList(root, piece) : root->IsPacked ? CopyPacked(root, piece) : CopyHash(root, piece);
            _isBegun = true;
        }

        return goesOn;
    }

    /// <summary>Deserializes a cursor. Every sequence of bytes is a valid position.</summary>
    public static CollectionCursor Read(ReadOnlySpan<byte> from, RemovalBehavior whenCut) => new(whenCut)
    {
        _isBegun = true,
        _place = BinaryPrimitives.ReadUInt64LittleEndian(from),
        _removed = BinaryPrimitives.ReadInt64LittleEndian(from[RemovedAt..]),
        _shift = BinaryPrimitives.ReadInt32LittleEndian(from[ShiftAt..]),
    };

    public readonly void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(to, _place);
        BinaryPrimitives.WriteInt64LittleEndian(to[RemovedAt..], _removed);
        BinaryPrimitives.WriteInt32LittleEndian(to[ShiftAt..], _shift);
    }

    // Adjusts the position to the list's changes since the last piece. Each push or removal at the front shifts the next element by one. It is unknown whether
    // a removal from the middle was before or after the next element.
    private bool TryFollow(CollectionRoot* root)
    {
        if (_isBegun && root->Removed != _removed && whenCut == RemovalBehavior.Refuse)
        {
            return false;
        }

        long back = _isBegun && whenCut == RemovalBehavior.GoBack ? root->Removed - _removed : 0;
        long moved = _isBegun ? root->Shift - _shift : 0;
        _place = (ulong)Math.Clamp((long)_place + moved - back, 0, root->Count);
        (_shift, _removed) = (root->Shift, root->Removed);
        return true;
    }

    private bool CopyList(CollectionRoot* root, CollectionPiece piece)
    {
        var walk = new ListWalk(root, (long)_place);
        for (; _place < (ulong)root->Count; _place++)
        {
            if (!piece.TryAdd(walk.Next(), default(ReadOnlySpan<byte>)))
            {
                return false;
            }
        }

        return true;
    }

    // Copies all elements, because packed collections are small (PackedElements.MostBytes).
    private static bool CopyPacked(CollectionRoot* root, CollectionPiece piece)
    {
        byte* end = root->Data + root->UsedBytes;
        for (byte* at = root->Data; at < end;)
        {
            KeyedElement element = PackedElements.Read(at);
            _ = TryAdd(root, piece, element, belongs: true);
            at = element.End;
        }

        return true;
    }

    private bool CopyHash(CollectionRoot* root, CollectionPiece piece)
    {
        int passed = 0;
        while (true)
        {
            byte* record = HashIndex.Next(root, ref _place, ref passed);
            if (record == null)
            {
                return true;
            }

            // Elements with equal hashes stay in one piece, because a position cannot distinguish them and their order in a chain may change.
            if (!TryAdd(root, piece, HashIndex.Element(record), belongs: passed > 1))
            {
                return false;
            }
        }
    }

    private static bool TryAdd(CollectionRoot* root, CollectionPiece piece, KeyedElement element, bool belongs) => root->Type == ItemType.SortedSet
        ? piece.TryAdd(element.Key, element.Score, belongs)
        : piece.TryAdd(element.Key, element.Value, belongs);
}
