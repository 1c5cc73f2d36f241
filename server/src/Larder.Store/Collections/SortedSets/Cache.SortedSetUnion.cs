using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>The union of sorted sets, stored in another.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>
    /// Elements that one union reads at most, of all its sources together, one that is named again counted again: it bounds how long a call takes.
    /// </summary>
    public const int MaxUnionElements = 1 << 20;

    // Elements of a source that are added in one hold of the other's lock.
    private const int UnionStep = 64;

    /// <summary>
    /// Stores the union of sorted sets in the place of one, with a TTL of its own. Each is read as it is at one moment, one after the other; an empty union
    /// removes what is there.
    /// </summary>
    /// <param name="key">The key of the union: 1 byte or more. It may be a source too.</param>
    /// <param name="sources">The keys of the sources, by their names, with their weights as scores: 1 or more. One that is missing is empty.</param>
    /// <param name="aggregate">What is done with the weighted scores of one element; those that are no number count as 0.</param>
    /// <param name="ttlMs">Milliseconds until it expires: 1 to the store's longest TTL.</param>
    /// <param name="length">Elements of the union.</param>
    /// <exception cref="ArgumentException">A key is empty, there is no source, the TTL is out of range, a weight no number.</exception>
    /// <exception cref="InsufficientMemoryException">As for <see cref="DictionarySet"/>.</exception>
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
                shard.DropAside(aside);
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
                outcome = shard.OpenAside(ref aside, ref source);
                if (outcome == Ok)
                {
                    AddElements(shard, aside, ref walk, weight, aggregate);
                    outcome = sourceShard.StepBeside(ref source);
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
                double score = NumberOr0(element.Score * weight);
                if (KeyedElements.TryFind(aside.Root, element.Key, _hashSeed, out KeyedElement present))
                {
                    score = aggregate switch
                    {
                        ScoreAggregate.Min => Math.Min(present.Score, score),
                        ScoreAggregate.Max => Math.Max(present.Score, score),
                        _ => NumberOr0(present.Score + score),
                    };
                }

                SortedElements.Put(aside.Root, shard.Blocks, element.Key, score, _hashSeed);
            }
        }
        finally
        {
            shard.EndAside(aside);
        }
    }

    // As Redis has it: ∞ − ∞, and 0 × ∞.
    private static double NumberOr0(double score) => double.IsNaN(score) ? 0 : score;
}
