using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>Cache quotas. If a cache exceeds its quota, it evicts its own entries only.</summary>
public sealed unsafe partial class Cache
{
    // The maximum number of eviction steps per write. Each step visits about 256 entries while it holds a shard's lock. If the cache still exceeds its quota
    // after these steps, the next write to the cache continues the eviction.
    private const int MaxQuotaSteps = 256;

    /// <summary>Evicts entries after a write until the cache is within its quota. Starts with the shard that the write changed.</summary>
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
