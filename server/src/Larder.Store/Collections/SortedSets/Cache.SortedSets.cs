using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Sorted sets: distinct elements of bytes, each with a score, in the order of scores, and where those are equal of bytes.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>Adds elements, or gives those that are there other scores; of equal ones in a request the last wins.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="elements">Names and scores. A score may be infinite.</param>
    /// <param name="ttl">The TTL.</param>
    /// <exception cref="ArgumentException">As for <see cref="DictionarySet"/>; or a score is no number.</exception>
    /// <exception cref="InsufficientMemoryException">As for <see cref="DictionarySet"/>.</exception>
    public CollectionOutcome SortedSetPut(ReadOnlySpan<byte> key, scoped in CollectionBatch elements, CollectionTtl ttl)
    {
        for (int i = 0; i < elements.Count; i++)
        {
            CheckScore(elements.ScoreAt(i));
        }

        CollectionOutcome outcome = OpenToAdd(key, ItemType.SortedSet, ttl, elements, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome == CollectionOutcome.Missing ? Ok : outcome;
        }

        try
        {
            for (int i = 0; i < elements.Count && shard.Continue(ref call, elements.NameAt(i).Length); i++)
            {
                SortedElements.Put(call.Root, shard.Blocks, elements.NameAt(i), elements.ScoreAt(i), _hashSeed);
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Shows the elements from one index to another, counted in the order asked for. A range outside the set is found, and empty.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetFetchByIndex<TSink>(
        ReadOnlySpan<byte> key,
        ListSlice slice,
        SortedSetOrder order,
        AnswerLimit limit,
        ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        CollectionOutcome outcome = OpenToRead(key, ItemType.SortedSet, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            (long first, long count) = slice.Of(call.Root->Count);
            return ShowRanks(shard, ref call, first, count, order, limit, ref sink);
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Shows the elements whose scores are in a range; a range outside the set is found, and empty.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="range">The scores.</param>
    /// <param name="offset">How many are passed over first, in the order asked for.</param>
    /// <param name="count">How many at most; below 0: all.</param>
    /// <param name="order">In which order.</param>
    /// <param name="limit">How large the answer may be.</param>
    /// <param name="sink">Receives them.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetFetchByScore<TSink>(
        ReadOnlySpan<byte> key,
        ScoreRange range,
        uint offset,
        int count,
        SortedSetOrder order,
        AnswerLimit limit,
        ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        CollectionOutcome outcome = OpenToRead(key, ItemType.SortedSet, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            (long first, long after) = RanksOf(call.Root, range);
            long shown = Math.Max(after - first - offset, 0);
            shown = count < 0 ? shown : Math.Min(shown, count);
            long start = order == SortedSetOrder.Ascending ? first + offset : call.Root->Count - after + offset;
            return ShowRanks(shard, ref call, start, shown, order, limit, ref sink);
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Says each asked element's score, in order.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="elements">The elements, by their names.</param>
    /// <param name="sink">Receives an element for each, present or not.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetGetScores<TSink>(ReadOnlySpan<byte> key, scoped in CollectionBatch elements, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct => LookUp(key, ItemType.SortedSet, elements, ref sink);

    /// <summary>How many elements stand before one, in the order asked for.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="element">The element.</param>
    /// <param name="order">In which order.</param>
    /// <param name="rank">How many; null where the element is not there.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetGetRank(ReadOnlySpan<byte> key, ReadOnlySpan<byte> element, SortedSetOrder order, out long? rank)
    {
        rank = null;
        CollectionOutcome outcome = OpenToRead(key, ItemType.SortedSet, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            if (KeyedElements.TryFind(call.Root, element, _hashSeed, out KeyedElement found))
            {
                long before = SortedElements.RankOf(call.Root, found);
                rank = order == SortedSetOrder.Ascending ? before : call.Root->Count - 1 - before;
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Adds to an element's score; one that is not there gets the amount.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="element">The element.</param>
    /// <param name="amount">What to add; may be infinite.</param>
    /// <param name="ttl">The TTL; where the sum is no number, nothing changes.</param>
    /// <param name="score">The score afterwards, where the outcome is ok.</param>
    /// <exception cref="ArgumentException">As for <see cref="SortedSetPut"/>.</exception>
    /// <exception cref="InsufficientMemoryException">As for <see cref="DictionarySet"/>.</exception>
    public CollectionOutcome SortedSetIncrement(ReadOnlySpan<byte> key, ReadOnlySpan<byte> element, double amount, CollectionTtl ttl, out double score)
    {
        score = 0;
        CheckScore(amount);
        _store.CheckSize(key.Length, element.Length);
        CollectionTtl onlyNew = ttl with { Refresh = false };
        int bytes = element.Length + sizeof(double);
        CollectionOutcome outcome = OpenToAdd(key, ItemType.SortedSet, onlyNew, 1, bytes, bytes, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            double sum = KeyedElements.TryFind(call.Root, element, _hashSeed, out KeyedElement present) ? present.Score + amount : amount;
            if (double.IsNaN(sum))
            {
                return CollectionOutcome.Overflow;
            }

            SortedElements.Put(call.Root, shard.Blocks, element, sum, _hashSeed);
            score = sum;
            shard.RefreshTtl(ref call, ttl);
            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Removes elements; what is not there is no error.</summary>
    /// <returns>Ok, missing or of another type.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetRemove(ReadOnlySpan<byte> key, scoped in CollectionBatch elements) => RemoveKeyed(key, ItemType.SortedSet, elements);

    /// <summary>Removes all elements, and so the sorted set.</summary>
    /// <returns>Ok, missing or of another type.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetRemoveAll(ReadOnlySpan<byte> key) => DeleteWhole(key, ItemType.SortedSet);

    /// <summary>How many elements there are.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetLength(ReadOnlySpan<byte> key, out long length) => Length(key, ItemType.SortedSet, out length);

    /// <summary>How many elements have a score in a range.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetLengthByScore(ReadOnlySpan<byte> key, ScoreRange range, out long length)
    {
        length = 0;
        CollectionOutcome outcome = OpenToRead(key, ItemType.SortedSet, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            (long first, long after) = RanksOf(call.Root, range);
            length = Math.Max(after - first, 0);
            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    private static void CheckScore(double score)
    {
        if (double.IsNaN(score))
        {
            throw new ArgumentOutOfRangeException(nameof(score), score, "A score is a number, or infinite.");
        }
    }

    // The rank of the first element in the range, and that behind the last.
    private static (long First, long After) RanksOf(CollectionRoot* root, ScoreRange range) => (
        range.Min is { } min ? SortedElements.CountBelow(root, min, range.ExcludesMin) : 0,
        range.Max is { } max ? SortedElements.CountBelow(root, max, !range.ExcludesMax) : root->Count);

    private CollectionOutcome ShowRanks<TSink>(
        Shard shard,
        ref CollectionCall call,
        long first,
        long count,
        SortedSetOrder order,
        AnswerLimit limit,
        ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        if (!limit.Allows(count, 0))
        {
            return TooLarge();
        }

        if (CallPace.Defers(CallCost.ToShow(count, AverageBytes(call.Root, count))))
        {
            return DeferRead();
        }

        ReadMany(shard, ref call, count, call.Root->PayloadBytes);
        if (!limit.Allows(count, call.Root->PayloadBytes) && !limit.Allows(count, BytesOf(call.Root, first, count, order)))
        {
            return TooLarge();
        }

        sink.Begin(count);
        SortedWalk walk = WalkFrom(call.Root, first, count, order);
        for (; count > 0; count--)
        {
            KeyedElement element = walk.Next();
            sink.Accept(new CollectionElement(element.Key, default, element.Score, isPresent: true));
        }

        return Ok;
    }

    private static SortedWalk WalkFrom(CollectionRoot* root, long first, long count, SortedSetOrder order) =>
        order == SortedSetOrder.Ascending ? new SortedWalk(root, first, count, 1) : new SortedWalk(root, root->Count - 1 - first, count, -1);

    // Of the members alone: what a score costs is the caller's to say (AnswerLimit).
    private static long BytesOf(CollectionRoot* root, long first, long count, SortedSetOrder order)
    {
        long bytes = 0;
        SortedWalk walk = WalkFrom(root, first, count, order);
        for (; count > 0; count--)
        {
            bytes += walk.Next().Key.Length;
        }

        return bytes;
    }
}
