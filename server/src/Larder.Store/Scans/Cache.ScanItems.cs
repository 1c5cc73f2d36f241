using System.Buffers.Binary;
using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Contains the scan of a collection's elements, one page at a time.</summary>
public sealed unsafe partial class Cache
{
    // The maximum size of the elements of a page. A larger element gets its own page. Such a page is still smaller than the message limit of 10.5 MB.
    private const int BytesOfPage = 1 << 20;

    // The initial capacity per element. It is enough for most elements.
    private const int BytesOfElement = 64;

    // The layout of a cursor: the number that identifies the cache, the type, the position.
    private const int TypeAt = sizeof(ulong);
    private const int PlaceAt = TypeAt + 1;

    /// <summary>
    /// Returns a page of the elements of a collection, as one atomic snapshot. To scan all elements, call this repeatedly with the previous page's cursor until
    /// the cursor is empty. Every element that exists during the whole scan is returned at least once, and in rare cases twice. An element that is added or
    /// removed during the scan may be missing. A small collection is returned in one page. The first call is counted as a hit or a miss, and protects the item
    /// from eviction like a read.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="cursor">The cursor of the previous page; empty to start.</param>
    /// <param name="count">The approximate number of elements per page, as for <see cref="KeyQuery.Count"/>.</param>
    /// <param name="page">The page; null if the outcome is not <see cref="CollectionOutcome.Ok"/>.</param>
    /// <returns>
    /// The outcome: Ok, Missing, WrongType or ForeignCursor. It is WrongType if the item is a scalar, or if its type has changed since the previous page.
    /// </returns>
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

        CollectionCursor at = goesOn ? CollectionCursor.Read(place[PlaceAt..], RemovalBehavior.GoBack) : new CollectionCursor(RemovalBehavior.GoBack);
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
