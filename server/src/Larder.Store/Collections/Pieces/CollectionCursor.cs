using System.Buffers.Binary;

namespace Larder.Store.Collections;

/// <summary>
/// A place in a collection that is copied out piece by piece, each as it is at one moment, while others change it between two: what is there all along is met
/// once, with what it holds then; of a list of which elements left the middle, see <see cref="WhenCut"/>.
/// </summary>
internal unsafe struct CollectionCursor(WhenCut whenCut)
{
    /// <summary>Bytes of a cursor that is kept elsewhere.</summary>
    public const int Bytes = ShiftAt + sizeof(int);

    private const int RemovedAt = sizeof(ulong);
    private const int ShiftAt = RemovedAt + sizeof(long);

    private bool _isBegun;

    // Of a list the index of the next element; else the reversed hash that the walk has come to.
    private ulong _place;
    private int _shift;
    private long _removed;

    /// <summary>Whether the last piece reached the end.</summary>
    public bool IsDone { get; private set; }

    /// <summary>Copies what comes next, at least one element where there is one left.</summary>
    /// <returns>False where a list was changed in its middle since the last piece: nothing was copied.</returns>
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

    /// <summary>Reads a cursor that was kept; any bytes name a place that is harmless.</summary>
    public static CollectionCursor Read(ReadOnlySpan<byte> from, WhenCut whenCut) => new(whenCut)
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

    // To where the elements are now that were next: each that came to the front or left it moves them by one. One that left elsewhere may have stood before
    // them or behind.
    private bool TryFollow(CollectionRoot* root)
    {
        if (_isBegun && root->Removed != _removed && whenCut == WhenCut.Refuse)
        {
            return false;
        }

        long back = _isBegun && whenCut == WhenCut.GoBack ? root->Removed - _removed : 0;
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

    // All of it: it has few elements (PackedElements.MostBytes).
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

            // What has the same hash comes together: a place cannot tell one from the other, and their order in a chain changes.
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
