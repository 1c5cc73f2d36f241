using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Looking at what a collection holds without using it: no call here counts a hit or a miss, or saves the collection from eviction.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>How many fields or elements there are.</summary>
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

    /// <summary>Shows a list's elements by position, or a sorted set's in ascending order by rank; behind the last there are none.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="type">List or sorted set.</param>
    /// <param name="first">The first position or rank, from 0.</param>
    /// <param name="count">How many at most.</param>
    /// <param name="sink">Receives them.</param>
    /// <param name="length">How many elements there are at that moment.</param>
    /// <exception cref="ArgumentException">The key is empty, or the type another.</exception>
    public CollectionOutcome PeekRange<TSink>(ReadOnlySpan<byte> key, ItemType type, long first, int count, ref TSink sink, out long length)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        if (type is not (ItemType.List or ItemType.SortedSet))
        {
            throw new ArgumentOutOfRangeException(nameof(type), type, "Elements have an order in lists and sorted sets.");
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

    /// <summary>Shows some of what a collection of any type holds, as <see cref="ScanItems"/> does.</summary>
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
