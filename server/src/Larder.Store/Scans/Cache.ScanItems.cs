using System.Buffers.Binary;
using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>What a collection holds, a page at a time.</summary>
public sealed unsafe partial class Cache
{
    // A page ends before its elements have more; the one that is larger is a page alone, below the limit of a message, 10.5 MB.
    private const int BytesOfPage = 1 << 20;

    // What most elements take: room that is there before the collection is looked at.
    private const int BytesOfElement = 64;

    // A cursor's mark, the type, and the place.
    private const int TypeAt = sizeof(ulong);
    private const int PlaceAt = TypeAt + 1;

    /// <summary>
    /// Shows some of what a collection holds, as it is at one moment. A scan calls this with the cursor of the page before until that is empty. Every field,
    /// member or element that is there from the first call to the last is shown at least once, and seldom twice; one that comes or goes meanwhile may be. A
    /// small collection is shown whole. The first call counts a hit or a miss, and a use of the item.
    /// </summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="cursor">That of the page before; empty: the beginning.</param>
    /// <param name="count">Elements of a page, about, as <see cref="KeyQuery.Count"/>.</param>
    /// <param name="page">The page; null where the outcome is not Ok.</param>
    /// <returns>Ok; missing; wrong type for a scalar, and for a collection of another type than the page before; or a foreign cursor.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome ScanItems(ReadOnlySpan<byte> key, ReadOnlySpan<byte> cursor, int count, out ElementPage? page) =>
        ScanFrom(key, cursor, count, isCounted: cursor.IsEmpty, out page);

    private CollectionOutcome ScanFrom(ReadOnlySpan<byte> key, ReadOnlySpan<byte> cursor, int count, bool isCounted, out ElementPage? page)
    {
        page = null;
        Span<byte> place = stackalloc byte[PlaceAt + CollectionCursor.Bytes];
        bool goesOn = !cursor.IsEmpty;
        if (goesOn && (!CursorSeal.TryOpen(cursor, key, place) || BinaryPrimitives.ReadUInt64LittleEndian(place) != _scanMark))
        {
            return CollectionOutcome.ForeignCursor;
        }

        CollectionCursor at = goesOn ? CollectionCursor.Read(place[PlaceAt..], WhenCut.GoBack) : new CollectionCursor(WhenCut.GoBack);
        count = KeyQuery.CountOf(count);
        CollectionPiece piece = new(count, BytesOfPage, count * BytesOfElement);
        CollectionOutcome outcome = CopyNext(key, goesOn ? (ItemType)place[TypeAt] : null, isCounted, ref at, piece, out ItemType type);
        if (outcome == Ok)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(place, _scanMark);
            place[TypeAt] = (byte)type;
            at.Write(place[PlaceAt..]);
            List<CollectionItem> elements = new(piece.Elements);
            bool isPiece = CollectionPiece.TryParse(piece.Bytes, type, elements);
            Invariant.Holds(isPiece, "a piece has elements of its type");
            page = new ElementPage(type, piece.Memory, elements, at.IsDone ? [] : CursorSeal.Close(place, key));
        }

        return outcome;
    }

    private CollectionOutcome CopyNext(
        ReadOnlySpan<byte> key, ItemType? before, bool isCounted, ref CollectionCursor at, CollectionPiece piece, out ItemType type)
    {
        type = default;
        Shard shard = ShardOf(key, out ulong hash);
        CollectionCall call = CollectionCall.ToRead(this, hash, key, default);
        call.TakesAny = true;
        call.IsUncounted = !isCounted;
        CollectionOutcome outcome = shard.Open(ref call);
        if (isCounted && outcome != CollectionOutcome.WrongType)
        {
            _store.Epochs.Current.Count(Ordinal, outcome == Ok ? AccessKind.Hit : AccessKind.Miss);
        }

        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            type = call.Root->Type;
            if (before is { } known && known != type)
            {
                return CollectionOutcome.WrongType;
            }

            ReadMany(shard, ref call, call.Root->Count, call.Root->PayloadBytes);
            bool isCopied = at.TryCopy(call.Root, piece);
            Invariant.Holds(isCopied, "a scan goes on however a list is changed");
            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }
}
