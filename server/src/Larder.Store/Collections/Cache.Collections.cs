using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>Common parts of collection operations. Each operation is atomic, even if it is large. No other call sees a partial change.</summary>
public sealed unsafe partial class Cache
{
    // Up to these sizes, a response is copied while the shard's lock is held, which takes about 5 µs. Larger responses are copied under the collection's latch
    // (Shard.ReadAlone).
    private const int ElementsUnderLock = 64;
    private const int BytesUnderLock = 16 << 10;

    private const CollectionOutcome Ok = CollectionOutcome.Ok;

    private CollectionOutcome OpenToRead(ReadOnlySpan<byte> key, ItemType type, out Shard shard, out CollectionCall call)
    {
        shard = ShardOf(key, out ulong hash);
        call = CollectionCall.ToRead(this, hash, key, type);
        CollectionOutcome outcome = shard.Open(ref call);
        if (outcome is Ok or CollectionOutcome.Missing)
        {
            _store.Epochs.Current.Count(Ordinal, outcome == Ok ? AccessKind.Hit : AccessKind.Miss);
        }

        return outcome;
    }

    /// <summary>
    /// Ends a read whose response would be too large. The read is not counted as a hit, because the caller may repeat the call with a larger limit.
    /// </summary>
    private CollectionOutcome TooLarge()
    {
        _store.Epochs.Current.TakeBack(Ordinal, AccessKind.Hit);
        return CollectionOutcome.TooLarge;
    }

    /// <summary>Ends a read that would take too long for the calling thread. The read is not counted as a hit, because the call runs again.</summary>
    private CollectionOutcome DeferRead()
    {
        _store.Epochs.Current.TakeBack(Ordinal, AccessKind.Hit);
        return CollectionOutcome.Deferred;
    }

    private CollectionOutcome OpenToRemove(ReadOnlySpan<byte> key, ItemType type, out Shard shard, out CollectionCall call)
    {
        shard = ShardOf(key, out ulong hash);
        call = CollectionCall.ToRemove(this, hash, key, type);
        return shard.Open(ref call);
    }

    private CollectionOutcome OpenToAdd(
        ReadOnlySpan<byte> key,
        ItemType type,
        CollectionTtl ttl,
        long elements,
        long bytes,
        long largest,
        out Shard shard,
        out CollectionCall call)
    {
        _store.CheckTtl(ttl.TtlMs);
        shard = ShardOf(key, out ulong hash);
        call = CollectionCall.ToAdd(this, hash, key, type, ttl, elements, bytes, largest);
        return shard.Open(ref call);
    }

    private CollectionOutcome OpenToAdd(
        ReadOnlySpan<byte> key,
        ItemType type,
        CollectionTtl ttl,
        scoped in CollectionBatch batch,
        out Shard shard,
        out CollectionCall call)
    {
        int score = type == ItemType.SortedSet ? sizeof(double) : 0;
        CheckBatch(key, batch);
        if (CallPace.Defers(CallCost.ToChange(batch.Count, batch.TotalBytes)))
        {
            shard = null!;
            call = default;
            return CollectionOutcome.Deferred;
        }

        return OpenToAdd(key, type, ttl, batch.Count, batch.TotalBytes + (batch.Count * score), batch.LargestBytes + score, out shard, out call);
    }

    private void End(Shard shard, ref CollectionCall call)
    {
        shard.End(ref call);
        if (call.Writes)
        {
            Changed(call.WholeHash);
        }

        if (call.Adds || call.AddsToTemporary)
        {
            KeepQuota(call.WholeHash);
        }
    }

    private void CheckBatch(ReadOnlySpan<byte> key, scoped in CollectionBatch batch) =>
        _store.CheckSize(key.Length, (int)Math.Min(batch.TotalBytes, int.MaxValue));

    // Releases the shard's lock for the read if the response is large.
    private static void ReadMany(Shard shard, ref CollectionCall call, long elements, long bytes)
    {
        if (elements > ElementsUnderLock || bytes > BytesUnderLock)
        {
            shard.ReadAlone(ref call);
        }
    }

    // Estimates the size of some elements from the average element size of the collection.
    private static long AverageBytes(CollectionRoot* root, long elements) =>
        root->Count == 0 ? 0 : (long)((double)root->PayloadBytes / root->Count * elements);

    private CollectionOutcome Length(ReadOnlySpan<byte> key, ItemType type, out long length)
    {
        CollectionOutcome outcome = OpenToRead(key, type, out Shard shard, out CollectionCall call);
        length = 0;
        if (outcome == Ok)
        {
            length = call.Root->Count;
            End(shard, ref call);
        }

        return outcome;
    }

    private CollectionOutcome DeleteWhole(ReadOnlySpan<byte> key, ItemType type)
    {
        Shard shard = ShardOf(key, out ulong hash);
        CollectionOutcome outcome = shard.DeleteItem(this, KeyHash.InShard(hash), key, type);
        Changed(hash);
        return outcome;
    }

    private CollectionOutcome RemoveKeyed(ReadOnlySpan<byte> key, ItemType type, scoped in CollectionBatch batch)
    {
        CheckBatch(key, batch);
        if (CallPace.Defers(CallCost.ToChange(batch.Count, 0)))
        {
            return CollectionOutcome.Deferred;
        }

        CollectionOutcome outcome = OpenToRemove(key, type, out Shard shard, out CollectionCall call);
        if (outcome != Ok)
        {
            return outcome;
        }

        try
        {
            for (int i = 0; i < batch.Count && call.Root->Count > 0 && shard.Continue(ref call, batch.NameAt(i).Length); i++)
            {
                _ = type == ItemType.SortedSet
                    ? SortedElements.Remove(call.Root, shard.Blocks, batch.NameAt(i), _hashSeed)
                    : KeyedElements.Remove(call.Root, shard.Blocks, batch.NameAt(i), _hashSeed);
            }

            return Ok;
        }
        finally
        {
            End(shard, ref call);
        }
    }

    /// <summary>Passes all elements to the sink, without order. Only for collections with keyed elements.</summary>
    private static void ShowAll<TSink>(CollectionRoot* root, ref TSink sink)
        where TSink : struct, ICollectionSink, allows ref struct
    {
        sink.Begin(root->Count);
        if (root->IsPacked)
        {
            byte* end = root->Data + root->UsedBytes;
            for (byte* at = root->Data; at < end;)
            {
                KeyedElement element = PackedElements.Read(at);
                sink.Accept(Describe(element));
                at = element.End;
            }

            return;
        }

        uint buckets = HashIndex.Buckets(root);
        for (uint bucket = 0; bucket < buckets; bucket++)
        {
            for (byte* record = HashIndex.First(root, bucket); record != null; record = HashIndex.Next(record))
            {
                sink.Accept(Describe(HashIndex.Element(record)));
            }
        }
    }

    private static CollectionElement Describe(KeyedElement element) => new(element.Key, element.Value, 0, isPresent: true);
}
