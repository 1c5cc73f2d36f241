using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>
/// Freeing the collections that have left: a small one at once, a large one a few blocks at a time, by the writes that follow and by the maintenance. Until
/// then its memory counts as held, and is room to be made before anything live is evicted.
/// </summary>
internal sealed unsafe partial class Shard
{
    // Blocks freed by one write, some 30 ns each; more where memory is short.
    private const int DismantledPerWrite = 32;
    private const int DismantledPerWriteWhenLow = 128;

    private readonly Queue<nint> _leaving = new();

    /// <summary>The largest collection of a shard with this share, in bytes of its blocks: half of it, as for the largest item.</summary>
    public static long MaxCollectionBytes(long shardBytes) => ShardPlan.LargestItem(shardBytes);

    /// <summary>A collection that no entry refers to any more: freed, or by who has its latch when that is given back.</summary>
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

    /// <summary>Frees so many blocks at most.</summary>
    /// <returns>Whether there is more to free.</returns>
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

    /// <summary>Takes one chunk that stayed without a block since this last returned false; its memory is the caller's to give back.</summary>
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

    // What is promised to a call that has let others have the lock may be in a chunk without a block.
    private bool TryTakeChunk(out PageBlock chunk)
    {
        chunk = default;
        return _promised.Bytes == 0 && _blocks.TryTakePooled(out chunk);
    }
}
