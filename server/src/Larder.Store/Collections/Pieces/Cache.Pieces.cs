using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Copies and restores collections piece by piece, for snapshots. These internal calls are not included in the statistics.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>Copies a collection's next elements into a piece, as one atomic snapshot.</summary>
    /// <param name="key">The collection's key.</param>
    /// <param name="type">The collection's type.</param>
    /// <param name="cursor">The position where the previous piece ended.</param>
    /// <param name="piece">Receives the elements and the collection's properties at the time of the copy.</param>
    /// <returns>The outcome: Ok, Missing, WrongType or Changed. If it is Changed, the copy must start again.</returns>
    internal CollectionOutcome CopyPiece(ReadOnlySpan<byte> key, ItemType type, ref CollectionCursor cursor, CollectionPiece piece)
    {
        piece.Clear();
        Shard shard = ShardOf(key, out ulong hash);
        CollectionCall call = CollectionCall.ToRead(this, hash, key, type);
        call.IsUncounted = true;
        CollectionOutcome outcome = shard.Open(ref call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            (piece.Space, piece.ExpiresAtMs, piece.ChargedBytes) = (call.Space, shard.ExpiryOf(call), call.Root->ChargedBytes);
            ReadMany(shard, ref call, call.Root->Count, call.Root->PayloadBytes);
            return cursor.TryCopy(call.Root, piece) ? Ok : CollectionOutcome.Changed;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>
    /// Restores a collection's elements from a snapshot. The first piece replaces the item under the key; later pieces are added if the collection still
    /// exists.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="entry">The collection's saved properties.</param>
    /// <param name="isFirst">Whether this is the collection's first piece.</param>
    /// <param name="elements">The elements of the piece.</param>
    /// <returns>The outcome: Ok, Missing, NoCache or Full. If it is Full, the elements restored so far remain.</returns>
    /// <exception cref="InsufficientMemoryException">The operating system refuses the memory.</exception>
    internal CollectionOutcome RestorePiece(ReadOnlySpan<byte> key, RestoredCollection entry, bool isFirst, scoped in CollectionBatch elements)
    {
        Shard shard = ShardOf(key, out ulong hash);
        if (isFirst)
        {
            shard.Delete(this, KeyHash.InShard(hash), key);
        }

        int score = entry.Type == ItemType.SortedSet ? sizeof(double) : 0;
        long bytes = elements.TotalBytes + (elements.Count * score);
        CollectionCall call = CollectionCall.ToAdd(this, hash, key, entry.Type, default, elements.Count, bytes, elements.LargestBytes + score);
        call.Pushed = entry.Type == ItemType.List ? new ListNeed(elements) : default;
        call.IsUncounted = true;
        call.CreatesNone = !isFirst;
        (call.ExpiresAtMs, call.Frequency, call.Queue) = (entry.ExpiresAtMs, entry.Frequency, entry.Queue);
        CollectionOutcome outcome = shard.Open(ref call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            for (int i = 0; i < elements.Count && shard.Continue(ref call, elements.NameAt(i).Length + elements.ValueAt(i).Length); i++)
            {
                Add(shard, ref call, elements, i);
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    private void Add(Shard shard, ref CollectionCall call, scoped in CollectionBatch elements, int index)
    {
        switch (call.Type)
        {
            case ItemType.List:
                ListElements.Push(call.Root, shard.Blocks, elements.NameAt(index), front: false);
                break;
            case ItemType.SortedSet:
                SortedElements.Put(call.Root, shard.Blocks, elements.NameAt(index), elements.ScoreAt(index), _hashSeed);
                break;
            default:
                KeyedElements.Set(call.Root, shard.Blocks, elements.NameAt(index), elements.ValueAt(index), _hashSeed);
                break;
        }
    }
}
