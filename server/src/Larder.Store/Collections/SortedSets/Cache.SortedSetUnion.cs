using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>The union of sorted sets, stored under a key.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>
    /// The maximum number of elements that one union reads from all its sources together. A source that is named twice counts twice. This limits the duration
    /// of a call.
    /// </summary>
    public const int MaxUnionElements = 1 << 20;

    // The number of elements of a source that are added each time the destination's lock is acquired.
    private const int UnionStep = 64;

    /// <summary>
    /// Stores the union of sorted sets under a key, with a given TTL. The sources are read one after the other, each as one atomic snapshot. An empty union
    /// removes the item under the key.
    /// </summary>
    /// <param name="key">The key of the union: at least one byte. It may also be a source.</param>
    /// <param name="sources">
    /// A batch with at least one item. The name of an item is the key of a source, and its score is the weight of the source. A missing source counts as empty.
    /// </param>
    /// <param name="aggregate">How to combine the weighted scores of an element. A product or sum that is not a number counts as 0.</param>
    /// <param name="ttlMs">The time to live in milliseconds: 1 to the store's maximum TTL.</param>
    /// <param name="length">The number of elements in the union.</param>
    /// <exception cref="ArgumentException">A key is empty, there is no source, the TTL is out of range, or a weight is not a number.</exception>
    /// <exception cref="InsufficientMemoryException">The same cases as for <see cref="DictionarySet"/>.</exception>
    public CollectionOutcome SortedSetUnionStore(
        ReadOnlySpan<byte> key,
        scoped in CollectionBatch sources,
        ScoreAggregate aggregate,
        long ttlMs,
        out long length)
    {
        length = 0;
        ArgumentOutOfRangeException.ThrowIfZero(sources.Count);
        _store.CheckTtl(ttlMs);
        Shard shard = ShardOf(key, out ulong hash);
        CollectionCall aside = CollectionCall.ToAdd(this, hash, key, ItemType.SortedSet, new CollectionTtl(ttlMs, Refresh: true), 0, 0, 0);
        bool isStored = false;
        long left = MaxUnionElements;
        try
        {
            for (int i = 0; i < sources.Count; i++)
            {
                CheckScore(sources.ScoreAt(i));
                CollectionOutcome outcome = AddSource(shard, ref aside, sources.NameAt(i), sources.ScoreAt(i), aggregate, ref left);
                if (outcome is not (Ok or CollectionOutcome.Missing))
                {
                    return outcome;
                }
            }

            long elements = aside.Root == null ? 0 : aside.Root->Count;
            CollectionOutcome linked = shard.Link(aside, out isStored);
            Changed(hash);
            length = linked == Ok ? elements : 0;
            KeepQuota(hash);
            return linked;
        }
        finally
        {
            if (aside.Root != null && !isStored)
            {
                shard.DropTemporary(aside);
            }
        }
    }

    private CollectionOutcome AddSource(
        Shard shard,
        ref CollectionCall aside,
        ReadOnlySpan<byte> key,
        double weight,
        ScoreAggregate aggregate,
        ref long unread)
    {
        CollectionOutcome outcome = OpenToRead(key, ItemType.SortedSet, out Shard sourceShard, out CollectionCall source);
        if (outcome != Ok)
        {
            return outcome;
        }

        sourceShard.ReadAlone(ref source);
        try
        {
            unread -= source.Root->Count;
            if (unread < 0)
            {
                return CollectionOutcome.TooMany;
            }

            if (CallPace.Defers(CallCost.ToUnite(MaxUnionElements - unread)))
            {
                return DeferRead();
            }

            SortedWalk walk = new(source.Root, 0, source.Root->Count, 1);
            for (long left = source.Root->Count; left > 0 && outcome == Ok; left -= aside.Elements)
            {
                aside.Elements = Math.Min(left, UnionStep);
                SortedWalk ahead = walk;
                aside.Bytes = 0;
                for (long i = 0; i < aside.Elements; i++)
                {
                    aside.Bytes += ahead.Next().PayloadBytes;
                }

                aside.LargestBytes = aside.Bytes;
                outcome = shard.OpenTemporary(ref aside, ref source);
                if (outcome == Ok)
                {
                    AddElements(shard, aside, ref walk, weight, aggregate);
                    outcome = sourceShard.StepTemporary(ref source);
                }
            }

            return outcome;
        }
        finally
        {
            sourceShard.End(ref source);
        }
    }

    private void AddElements(Shard shard, in CollectionCall aside, ref SortedWalk walk, double weight, ScoreAggregate aggregate)
    {
        try
        {
            for (long i = 0; i < aside.Elements; i++)
            {
                KeyedElement element = walk.Next();
                double score = ZeroIfNaN(element.Score * weight);
                if (KeyedElements.TryFind(aside.Root, element.Key, _hashSeed, out KeyedElement present))
                {
                    score = aggregate switch
                    {
                        ScoreAggregate.Min => Math.Min(present.Score, score),
                        ScoreAggregate.Max => Math.Max(present.Score, score),
                        _ => ZeroIfNaN(present.Score + score),
                    };
                }

                SortedElements.Put(aside.Root, shard.Blocks, element.Key, score, _hashSeed);
            }
        }
        finally
        {
            shard.EndTemporary(aside);
        }
    }

    // As in Redis, ∞ − ∞ and 0 × ∞ give 0.
    private static double ZeroIfNaN(double score) => double.IsNaN(score) ? 0 : score;
}
