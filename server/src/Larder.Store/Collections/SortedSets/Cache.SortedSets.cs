using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>
/// Sorted set operations. A sorted set contains distinct binary elements, each with a score. The elements are ordered by score. Elements with equal scores are
/// ordered by their bytes.
/// </summary>
public sealed unsafe partial class Cache
{
    /// <summary>Adds elements or replaces their scores. If a name occurs more than once in a request, its last score is stored.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="elements">Names and scores. A score may be infinite.</param>
    /// <param name="ttl">The TTL.</param>
    /// <exception cref="ArgumentException">The same cases as for <see cref="DictionarySet"/>, or a score is not a number.</exception>
    /// <exception cref="InsufficientMemoryException">The same cases as for <see cref="DictionarySet"/>.</exception>
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

    /// <summary>
    /// Returns the elements of an index range. Indexes are counted in the requested order. If the range contains no elements, the call succeeds with an empty
    /// response.
    /// </summary>
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

    /// <summary>Returns the elements whose scores are in a range. If the range contains no elements, the call succeeds with an empty response.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="range">The range of scores.</param>
    /// <param name="offset">The number of elements to skip, in the requested order.</param>
    /// <param name="count">The maximum number of elements; negative for all.</param>
    /// <param name="order">The order of the elements.</param>
    /// <param name="limit">The maximum size of the response.</param>
    /// <param name="sink">The sink that receives the elements.</param>
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

    /// <summary>Returns the scores of the requested elements, in request order.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="elements">A batch in which the names of the items are the requested elements.</param>
    /// <param name="sink">The sink that receives one element for each requested element, even if the requested element does not exist.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetGetScores<TSink>(ReadOnlySpan<byte> key, scoped in CollectionBatch elements, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct => LookUp(key, ItemType.SortedSet, elements, ref sink);

    /// <summary>Gets the rank of an element: the number of elements before it in the requested order.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="order">The order in which to count.</param>
    /// <param name="rank">The rank, from 0; null if the element is missing.</param>
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

    /// <summary>
    /// Adds an amount to the score of an element. If the element does not exist, it is added with the amount as its score. If the sum is not a number, nothing
    /// is changed and the outcome is <see cref="CollectionOutcome.Overflow"/>.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="element">The element.</param>
    /// <param name="amount">The amount to add; may be infinite.</param>
    /// <param name="ttl">The TTL.</param>
    /// <param name="score">The new score, if the outcome is <see cref="CollectionOutcome.Ok"/>.</param>
    /// <exception cref="ArgumentException">The same cases as for <see cref="SortedSetPut"/>.</exception>
    /// <exception cref="InsufficientMemoryException">The same cases as for <see cref="DictionarySet"/>.</exception>
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

    /// <summary>Removes elements. Missing elements are ignored.</summary>
    /// <returns>The outcome: Ok, Missing or WrongType.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetRemove(ReadOnlySpan<byte> key, scoped in CollectionBatch elements) => RemoveKeyed(key, ItemType.SortedSet, elements);

    /// <summary>Removes the whole sorted set.</summary>
    /// <returns>The outcome: Ok, Missing or WrongType.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetRemoveAll(ReadOnlySpan<byte> key) => DeleteWhole(key, ItemType.SortedSet);

    /// <summary>Gets the number of elements.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SortedSetLength(ReadOnlySpan<byte> key, out long length) => Length(key, ItemType.SortedSet, out length);

    /// <summary>Gets the number of elements whose scores are in a range.</summary>
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
            throw new ArgumentOutOfRangeException(nameof(score), score, "A score must not be NaN.");
        }
    }

    // Returns the rank of the first element in the range, and the rank after the last one.
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

    // Returns the total length of the members in bytes. The scores are not included, because they are part of AnswerLimit.BytesPerElement.
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
