using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Collections piece by piece, for who copies whole stores: no call of a caller's, and counted as none.</summary>
public sealed unsafe partial class Cache
{
    /// <summary>Copies a collection's next elements, as they are at one moment, into a piece.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="type">Its type.</param>
    /// <param name="cursor">Where the last piece ended.</param>
    /// <param name="piece">Receives them, and what the collection is at that moment.</param>
    /// <returns>Ok; missing or of another type; changed where it has to be copied from its beginning again.</returns>
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

    /// <summary>Stores a collection's first elements as they were in a store before, in the place of what is there; or more, where it is there still.</summary>
    /// <param name="key">1 byte or more.</param>
    /// <param name="entry">What the collection was.</param>
    /// <param name="isFirst">Whether they are its first.</param>
    /// <param name="elements">Some of its elements.</param>
    /// <returns>Ok, missing, no cache, or full, where it is left as far as it was.</returns>
    /// <exception cref="InsufficientMemoryException">The system refuses the memory.</exception>
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
