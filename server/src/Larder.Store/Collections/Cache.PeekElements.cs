using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Reads collections without side effects. These reads are not counted as hits or misses and do not protect the collection from eviction.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>Gets the number of fields or elements.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome PeekLength(ReadOnlySpan<byte> key, ItemType type, out long length)
    {
        CollectionOutcome outcome = OpenToPeek(key, type, out Shard shard, out CollectionCall call);
        length = 0;
        if (outcome == Ok)
        {
            length = call.Root->Count;
            End(shard, ref call);
        }

        return outcome;
    }

    /// <summary>
    /// Passes the elements of a list by position, or the elements of a sorted set in ascending order by rank, to the sink. Positions after the last element are
    /// ignored.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="type">The type of the item: list or sorted set.</param>
    /// <param name="first">The first position or rank, from 0.</param>
    /// <param name="count">The maximum number of elements.</param>
    /// <param name="sink">The sink that receives the elements.</param>
    /// <param name="length">The number of elements in the collection when the elements are read.</param>
    /// <exception cref="ArgumentException">The key is empty, or the type is neither list nor sorted set.</exception>
    public CollectionOutcome PeekRange<TSink>(ReadOnlySpan<byte> key, ItemType type, long first, int count, ref TSink sink, out long length)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        if (type is not (ItemType.List or ItemType.SortedSet))
        {
            throw new ArgumentOutOfRangeException(nameof(type), type, "Only lists and sorted sets have ordered elements.");
        }

        length = 0;
        CollectionOutcome outcome = OpenToPeek(key, type, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            length = call.Root->Count;
            first = Math.Clamp(first, 0, length);
            count = (int)Math.Clamp(length - first, 0, Math.Max(count, 0));
            ReadMany(shard, ref call, count, call.Root->PayloadBytes);
            sink.Begin(count);
            if (type == ItemType.List)
            {
                var walk = new ListWalk(call.Root, first);
                for (; count > 0; count--)
                {
                    sink.Accept(new CollectionElement(walk.Next(), default, 0, isPresent: true));
                }
            }
            else
            {
                var walk = new SortedWalk(call.Root, first, count, 1);
                for (; count > 0; count--)
                {
                    KeyedElement element = walk.Next();
                    sink.Accept(new CollectionElement(element.Key, default, element.Score, isPresent: true));
                }
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Passes a page of elements of a collection of any type to the sink, like <see cref="ScanItems"/>.</summary>
    /// <inheritdoc cref="ScanItems"/>
    public CollectionOutcome PeekItems(ReadOnlySpan<byte> key, ReadOnlySpan<byte> cursor, int count, out ElementPage? page) =>
        ScanFrom(key, cursor, count, isCounted: false, out page);

    private CollectionOutcome OpenToPeek(ReadOnlySpan<byte> key, ItemType type, out Shard shard, out CollectionCall call)
    {
        shard = ShardOf(key, out ulong hash);
        call = CollectionCall.ToRead(this, hash, key, type);
        call.IsUncounted = true;
        return shard.Open(ref call);
    }
}
