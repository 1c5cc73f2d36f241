using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Set operations. A set contains distinct binary elements without order.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>Returns all elements as one atomic snapshot, in no particular order.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SetFetch<TSink>(ReadOnlySpan<byte> key, AnswerLimit limit, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct => FetchAll(key, ItemType.Set, limit, ref sink);

    /// <summary>
    /// Returns randomly chosen, distinct elements: <paramref name="count"/> of them, or all if there are fewer. Only the starting point is random, so elements
    /// that are stored next to each other are returned together.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="count">The maximum number of elements; 0 returns none.</param>
    /// <param name="limit">The maximum size of the response.</param>
    /// <param name="sink">The sink that receives the elements.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SetSample<TSink>(ReadOnlySpan<byte> key, ulong count, AnswerLimit limit, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        CollectionOutcome outcome = OpenToRead(key, ItemType.Set, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            long wanted = (long)Math.Min(count, (ulong)call.Root->Count);
            if (!limit.Allows(wanted, 0))
            {
                return TooLarge();
            }

            if (CallPace.Defers(CallCost.ToShow(wanted, AverageBytes(call.Root, wanted))))
            {
                return DeferRead();
            }

            ReadMany(shard, ref call, wanted, wanted == 1 ? 0 : call.Root->PayloadBytes);
            var walk = new RandomWalk(call.Root);
            if (!Allows(shard, ref call, limit, walk, wanted))
            {
                return TooLarge();
            }

            sink.Begin(wanted);
            for (; wanted > 0; wanted--)
            {
                sink.Accept(Describe(walk.Next()));
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Adds elements to a set.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="elements">The elements, as the names of the batch's items.</param>
    /// <param name="ttl">The TTL.</param>
    /// <exception cref="ArgumentException">The same cases as for <see cref="DictionarySet"/>.</exception>
    /// <exception cref="InsufficientMemoryException">The same cases as for <see cref="DictionarySet"/>.</exception>
    public CollectionOutcome SetUnion(ReadOnlySpan<byte> key, scoped in CollectionBatch elements, CollectionTtl ttl)
    {
        CollectionOutcome outcome = OpenToAdd(key, ItemType.Set, ttl, elements, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome == CollectionOutcome.Missing ? Ok : outcome;
        }

        try
        {
            for (int i = 0; i < elements.Count && shard.Continue(ref call, elements.NameAt(i).Length); i++)
            {
                KeyedElements.Set(call.Root, shard.Blocks, elements.NameAt(i), default, _hashSeed);
            }

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
    public CollectionOutcome SetRemove(ReadOnlySpan<byte> key, scoped in CollectionBatch elements) => RemoveKeyed(key, ItemType.Set, elements);

    /// <summary>Removes the whole set.</summary>
    /// <returns>The outcome: Ok, Missing or WrongType.</returns>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SetDelete(ReadOnlySpan<byte> key) => DeleteWhole(key, ItemType.Set);

    /// <summary>
    /// Replaces the set with the given elements minus the set's current elements. The TTL does not change. If the result is empty, the set is removed.
    /// </summary>
    /// <returns>The outcome: Ok, Missing, WrongType or Full.</returns>
    /// <exception cref="ArgumentException">The key is empty, or key and items exceed <see cref="CacheStore.MaxItemBytes"/>.</exception>
    /// <exception cref="InsufficientMemoryException">The same cases as for <see cref="DictionarySet"/>.</exception>
    public CollectionOutcome SetSubtractFrom(ReadOnlySpan<byte> key, scoped in CollectionBatch elements)
    {
        CheckBatch(key, elements);
        if (CallPace.Defers(CallCost.ToChange(elements.Count, elements.TotalBytes)))
        {
            return CollectionOutcome.Deferred;
        }

        Shard shard = ShardOf(key, out ulong hash);
        CollectionCall call = CollectionCall.ToRemove(this, hash, key, ItemType.Set);
        call.AddsToTemporary = true;
        call.Elements = elements.Count;
        call.Bytes = elements.TotalBytes;
        call.LargestBytes = elements.LargestBytes;
        CollectionOutcome outcome = shard.Open(ref call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            CollectionRoot* left = CollectionRoot.Create(shard.Blocks, ItemType.Set);
            bool goesOn = true;
            for (int i = 0; i < elements.Count && goesOn; i++)
            {
                ReadOnlySpan<byte> element = elements.NameAt(i);
                goesOn = shard.Continue(ref call, element.Length);
                if (goesOn && !KeyedElements.TryFind(call.Root, element, _hashSeed, out _))
                {
                    KeyedElements.Set(left, shard.Blocks, element, default, _hashSeed);
                }
            }

            shard.Replace(ref call, left);
            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Reports for each requested element, in request order, whether the set contains it.</summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="elements">The elements, as the names of the batch's items.</param>
    /// <param name="sink">The sink that receives one element per requested element, present or not.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SetContains<TSink>(ReadOnlySpan<byte> key, scoped in CollectionBatch elements, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct => LookUp(key, ItemType.Set, elements, ref sink);

    /// <summary>Gets the number of elements.</summary>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CollectionOutcome SetLength(ReadOnlySpan<byte> key, out long length) => Length(key, ItemType.Set, out length);

    /// <summary>
    /// Removes and returns randomly chosen elements: <paramref name="count"/> of them, or all if there are fewer. The elements are chosen in the same way as by
    /// <see cref="SetSample"/>.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="count">The maximum number of elements: at least 1.</param>
    /// <param name="limit">The maximum size of the response. If it would be exceeded, nothing is removed.</param>
    /// <param name="sink">The sink that receives the elements.</param>
    /// <exception cref="ArgumentException">The key is empty, or the count is 0.</exception>
    public CollectionOutcome SetPop<TSink>(ReadOnlySpan<byte> key, uint count, AnswerLimit limit, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        ArgumentOutOfRangeException.ThrowIfZero(count);
        CollectionOutcome outcome = OpenToRemove(key, ItemType.Set, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            CollectionRoot* root = call.Root;
            long popped = Math.Min(count, root->Count);
            if (!limit.Allows(popped, 0))
            {
                return CollectionOutcome.TooLarge;
            }

            if (CallPace.Defers(CallCost.ToChange(popped, AverageBytes(root, popped))))
            {
                return CollectionOutcome.Deferred;
            }

            var walk = new RandomWalk(root);
            if (!Allows(shard, ref call, limit, walk, popped))
            {
                return CollectionOutcome.TooLarge;
            }

            sink.Begin(popped);
            for (long i = 0; i < popped; i++)
            {
                KeyedElement element = walk.Next();
                int bytes = element.PayloadBytes;
                sink.Accept(Describe(element));
                walk.Remove(shard.Blocks, element);
                if (!shard.Continue(ref call, bytes) && call.IsLost)
                {
                    return Ok;
                }
            }

            for (long i = 0; i < popped && !root->IsPacked && shard.Continue(ref call, 0); i++)
            {
                HashIndex.Shrink(root, shard.Blocks);
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    private CollectionOutcome LookUp<TSink>(ReadOnlySpan<byte> key, ItemType type, scoped in CollectionBatch elements, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        CollectionOutcome outcome = OpenToRead(key, type, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            if (CallPace.Defers(CallCost.ToShow(elements.Count, 0)))
            {
                return DeferRead();
            }

            ReadMany(shard, ref call, elements.Count, 0);
            sink.Begin(elements.Count);
            for (int i = 0; i < elements.Count; i++)
            {
                bool isPresent = KeyedElements.TryFind(call.Root, elements.NameAt(i), _hashSeed, out KeyedElement element);
                double score = isPresent && type == ItemType.SortedSet ? element.Score : 0;
                sink.Accept(new CollectionElement(elements.NameAt(i), default, score, isPresent));
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    // Returns whether the next elements of the walk fit into the limit. If the whole collection fits, the elements are not visited.
    private static bool Allows(Shard shard, ref CollectionCall call, AnswerLimit limit, RandomWalk walk, long elements)
    {
        if (limit.Allows(elements, walk.Root->PayloadBytes))
        {
            return true;
        }

        long bytes = 0;
        for (long i = 0; i < elements && limit.Allows(elements, bytes); i++)
        {
            bytes += walk.Next().PayloadBytes;
            if (call.Writes && !shard.Continue(ref call, 0) && call.IsLost)
            {
                return false;
            }
        }

        return limit.Allows(elements, bytes);
    }
}
