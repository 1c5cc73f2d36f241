using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>List operations. A list contains binary elements in order.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>Adds elements at one end of the list. If a maximum size is given, then removes the surplus elements from the opposite end.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="elements">
    /// A batch with at least one item. The names of its items are the new elements. They keep their order even if they are added at the front.
    /// </param>
    /// <param name="end">The end of the list.</param>
    /// <param name="truncateTo">The maximum number of elements after the call; 0 means unlimited.</param>
    /// <param name="ttl">The TTL.</param>
    /// <param name="length">The number of elements after the call.</param>
    /// <exception cref="ArgumentException">The same cases as for <see cref="DictionarySet"/>.</exception>
    /// <exception cref="InsufficientMemoryException">The same cases as for <see cref="DictionarySet"/>.</exception>
    public CollectionOutcome ListPush(
        ReadOnlySpan<byte> key,
        scoped in CollectionBatch elements,
        ListEnd end,
        uint truncateTo,
        CollectionTtl ttl,
        out long length)
    {
        length = 0;
        CheckBatch(key, elements);
        _store.CheckTtl(ttl.TtlMs);
        if (CallPace.Defers(CallCost.ToChange(elements.Count, elements.TotalBytes)))
        {
            return CollectionOutcome.Deferred;
        }

        Shard shard = ShardOf(key, out ulong hash);
        CollectionCall call = CollectionCall.ToAdd(this, hash, key, ItemType.List, ttl, elements.Count, 0, 0);
        call.TruncateTo = truncateTo;
        call.Pushed = new ListNeed(elements);
        CollectionOutcome outcome = shard.Open(ref call);
        if (outcome != Ok)
        {
            return outcome == CollectionOutcome.Missing ? Ok : outcome;
        }

        try
        {
            bool front = end == ListEnd.Front;
            for (int i = 0; i < elements.Count; i++)
            {
                ReadOnlySpan<byte> element = elements.NameAt(front ? elements.Count - 1 - i : i);
                if (!shard.Continue(ref call, element.Length))
                {
                    length = elements.Count;
                    return Ok;
                }

                ListElements.Push(call.Root, shard.Blocks, element, front);
            }

            long surplus = truncateTo == 0 ? 0 : Math.Max(call.Root->Count - truncateTo, 0);
            length = call.Root->Count - surplus;
            _ = Cut(shard, ref call, front ? length : 0, surplus);
            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Removes and returns the element at one end.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="end">The end of the list.</param>
    /// <param name="limit">The maximum size of the response. If the response would be larger, nothing is removed.</param>
    /// <param name="sink">The sink that receives the element.</param>
    /// <param name="length">The number of elements after the call.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome ListPop<TSink>(ReadOnlySpan<byte> key, ListEnd end, AnswerLimit limit, ref TSink sink, out long length)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        length = 0;
        CollectionOutcome outcome = OpenToRemove(key, ItemType.List, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            bool front = end == ListEnd.Front;
            ReadOnlySpan<byte> element = ListElements.Peek(call.Root, front);
            length = call.Root->Count;
            if (!limit.Allows(1, element.Length))
            {
                return CollectionOutcome.TooLarge;
            }

            length--;
            sink.Begin(1);
            sink.Accept(new CollectionElement(element, default, 0, isPresent: true));
            ListElements.Cut(call.Root, shard.Blocks, front ? 0 : length, 1);
            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Returns a slice of the list, in order. The outcome is <see cref="CollectionOutcome.Missing"/> if the slice is empty.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome ListFetch<TSink>(ReadOnlySpan<byte> key, ListSlice slice, AnswerLimit limit, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        CollectionOutcome outcome = OpenToRead(key, ItemType.List, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            (long first, long count) = slice.Of(call.Root->Count);
            if (count == 0)
            {
                return CollectionOutcome.Missing;
            }

            if (!limit.Allows(count, 0))
            {
                return TooLarge();
            }

            if (CallPace.Defers(CallCost.ToShow(count, AverageBytes(call.Root, count))))
            {
                return DeferRead();
            }

            ReadMany(shard, ref call, count, call.Root->PayloadBytes);
            if (!limit.Allows(count, call.Root->PayloadBytes) && !limit.Allows(count, BytesOf(call.Root, first, count)))
            {
                return TooLarge();
            }

            sink.Begin(count);
            var walk = new ListWalk(call.Root, first);
            for (; count > 0; count--)
            {
                sink.Accept(new CollectionElement(walk.Next(), default, 0, isPresent: true));
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Keeps the elements of a slice and removes all others. If the slice is empty, the whole list is removed.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="slice">The slice to keep.</param>
    /// <param name="ttl">The new TTL. It is ignored unless it requests a refresh.</param>
    /// <param name="length">The number of elements after the call.</param>
    /// <exception cref="ArgumentException">The key is empty, or a TTL to set is out of range.</exception>
    public CollectionOutcome ListRetain(ReadOnlySpan<byte> key, ListSlice slice, CollectionTtl ttl, out long length)
    {
        length = 0;
        if (ttl.Refresh)
        {
            _store.CheckTtl(ttl.TtlMs);
        }

        Shard shard = ShardOf(key, out ulong hash);
        CollectionCall call = CollectionCall.ToRemove(this, hash, key, ItemType.List);
        call.Ttl = ttl;
        CollectionOutcome outcome = shard.Open(ref call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            (long first, long count) = slice.Of(call.Root->Count);
            if (CallPace.Defers(CallCost.ToCut(call.Root->Count - count)))
            {
                return CollectionOutcome.Deferred;
            }

            length = count;
            if (Cut(shard, ref call, first + count, long.MaxValue))
            {
                _ = Cut(shard, ref call, 0, first);
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Removes all elements equal to a value.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="length">The number of elements after the call.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome ListRemove(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, out long length)
    {
        length = 0;
        CollectionOutcome outcome = OpenToRemove(key, ItemType.List, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            if (CallPace.Defers(CallCost.ToScan(call.Root->Count)))
            {
                return CollectionOutcome.Deferred;
            }

            for (long index = 0; index < call.Root->Count;)
            {
                index = ListElements.RemoveValue(call.Root, shard.Blocks, index, value);
                if (!shard.Continue(ref call, ListLeaf.Bytes))
                {
                    return Ok;
                }
            }

            length = call.Root->Count;
            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Removes ranges of elements. All ranges refer to the list before the call. The ranges may overlap.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="ranges">The ranges, in any order.</param>
    /// <param name="length">The number of elements after the call.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome ListErase(ReadOnlySpan<byte> key, ReadOnlySpan<ListRange> ranges, out long length)
    {
        length = 0;
        ReadOnlySpan<ListRange> apart = ListRange.Apart(ranges);
        CollectionOutcome outcome = OpenToRemove(key, ItemType.List, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            if (CallPace.Defers(CallCost.ToCut(call.Root->Count) + CallCost.ToChange(apart.Length, 0)))
            {
                return CollectionOutcome.Deferred;
            }

            // Remove the ranges from last to first, so that a removal does not shift the remaining ranges.
            for (int i = apart.Length - 1; i >= 0; i--)
            {
                if (!Cut(shard, ref call, apart[i].Begin, apart[i].Count))
                {
                    return Ok;
                }
            }

            length = call.Root->Count;
            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Removes the whole list.</summary>
    /// <returns>The outcome: Ok, Missing or WrongType.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome ListEraseAll(ReadOnlySpan<byte> key) => DeleteWhole(key, ItemType.List);

    /// <summary>Gets the number of elements.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome ListLength(ReadOnlySpan<byte> key, out long length) => Length(key, ItemType.List, out length);

    /// <summary>Removes elements, starting at an index. Removes at most one leaf per step.</summary>
    /// <returns>False if the call must stop (see <see cref="Shard.Continue"/>).</returns>
    private static bool Cut(Shard shard, ref CollectionCall call, long first, long count)
    {
        count = Math.Min(count, call.Root->Count - first);
        while (count > 0)
        {
            count -= ListElements.Cut(call.Root, shard.Blocks, first, count);
            if (!shard.Continue(ref call, ListLeaf.Bytes / 4))
            {
                return false;
            }
        }

        return true;
    }

    private static long BytesOf(CollectionRoot* root, long first, long count)
    {
        long bytes = 0;
        var walk = new ListWalk(root, first);
        for (; count > 0; count--)
        {
            bytes += walk.Next().Length;
        }

        return bytes;
    }
}
