using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>A cache's share of the memory: past it, the cache evicts its own entries and no other's.</summary>
public sealed unsafe partial class Cache
{
    // Steps of one write, each of some 256 entries looked at in one hold of a shard's lock. Where they do not do, the cache's next write goes on.
    private const int MaxQuotaSteps = 256;

    /// <summary>Evicts, after a write, until the cache keeps its quota: first where the write was.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void KeepQuota(ulong hash)
    {
        if (MaxBytes != 0 && _space.IsOverQuota)
        {
            Trim(hash);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Trim(ulong hash)
    {
        Space space = _space;
        int shards = _store.ShardCount;
        int visited = 0;
        for (int step = 0; step < MaxQuotaSteps && visited < shards && space.IsOverQuota; step++)
        {
            if (!_store.ShardAt(((int)hash + visited) & (shards - 1)).Trim(space))
            {
                visited++;
            }
        }
    }
}
