using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>
/// Frees removed collections. Small collections are freed immediately. Large collections are freed a few blocks at a time, by later writes and by the
/// maintenance. Until then, their memory counts as used. It is reclaimed before live entries are evicted.
/// </summary>
internal sealed unsafe partial class Shard
{
    // The number of blocks freed per write, which takes about 30 ns for each block. The number is larger if memory is low.
    private const int DismantledPerWrite = 32;
    private const int DismantledPerWriteWhenLow = 128;

    private readonly Queue<nint> _leaving = new();

    /// <summary>
    /// Returns the maximum number of bytes that the blocks of a collection may have in a shard with this share of the memory. It equals the maximum size of an
    /// item, which is half of the share.
    /// </summary>
    public static long MaxCollectionBytes(long shardBytes) => ShardPlan.LargestItem(shardBytes);

    /// <summary>
    /// Frees a collection that no entry refers to anymore. If a call holds the collection's latch, the collection is freed when the latch is released.
    /// </summary>
    private void Leave(CollectionRoot* root)
    {
        root->IsGone = true;
        DropIfGone(root);
    }

    private void DropIfGone(CollectionRoot* root)
    {
        if (root->IsGone && root->Latch == 0)
        {
            Drop(root);
        }
    }

    private void Drop(CollectionRoot* root)
    {
        if (root->Height == 0 && (root->IsPacked || root->Type == ItemType.List))
        {
            Free(root);
        }
        else
        {
            _leaving.Enqueue((nint)root);
        }
    }

    /// <summary>Frees at most this many blocks.</summary>
    /// <returns>True if more blocks must be freed.</returns>
    private bool Dismantle(int blocks)
    {
        while (blocks > 0 && _leaving.TryPeek(out nint leaving))
        {
            var root = (CollectionRoot*)leaving;
            for (; root->Tree != null && blocks > 0; blocks--)
            {
                _work++;
                CountedTree.Remove(root, _blocks, CountedTree.PathTo(root, long.MaxValue));
            }

            if (root->Tree == null && root->HasData && !root->IsPacked)
            {
                _work += blocks;
                blocks = HashIndex.Dismantle(root, _blocks, blocks);
            }

            if (root->Tree == null && !root->HasData)
            {
                _leaving.Dequeue();
                Free(root);
            }
        }

        return _leaving.Count > 0;
    }

    private void Free(CollectionRoot* root)
    {
        if (root->HasData)
        {
            _blocks.Free(root->Data);
        }

        if (root->Tree != null)
        {
            _blocks.Free(root->Tree);
        }

        _blocks.Free((byte*)root);
    }

    /// <summary>Removes from the heap one chunk that has had no blocks since this method last returned false. The caller must release its memory.</summary>
    private bool TakeUnusedChunk(List<PageBlock> taken)
    {
        if (_blocks.Unused > 0 && TryTakeChunk(out PageBlock chunk))
        {
            taken.Add(chunk);
            return true;
        }

        _blocks.BeginWatch();
        return false;
    }

    // A chunk without blocks may contain memory that is reserved for a call that has released the lock. Therefore, no chunk is removed while memory is
    // reserved.
    private bool TryTakeChunk(out PageBlock chunk)
    {
        chunk = default;
        return _promised.Bytes == 0 && _blocks.TryTakePooled(out chunk);
    }
}
