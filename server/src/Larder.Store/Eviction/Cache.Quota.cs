using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>Cache quotas. If a cache exceeds its quota, it evicts its own entries only.</summary>
public sealed unsafe partial class Cache
{
    // Maximum eviction steps per write. Each step visits about 256 entries in one hold of a shard's lock. If they do not suffice, the cache's next write
    // continues.
    private const int MaxQuotaSteps = 256;

    /// <summary>Evicts after a write until the cache is within its quota, starting with the shard that was written.</summary>
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
