namespace Larder.Store;

/// <summary>
/// One cache between two flushes. A flush gives the cache a new space, so its old entries are gone at once for every lookup, and
/// their memory is reclaimed as the engine meets them.
/// </summary>
internal sealed class Space(Cache cache, int shards)
{
    private volatile bool _dead;

    /// <summary>What was done to the cache in one shard; written only under that shard's lock.</summary>
    public ref ShardCounters Counters(int shard) => ref cache.Counters[shard];

    /// <summary>Live entries and bytes by shard, each written only under that shard's lock.</summary>
    public SpaceUsage[] Usage { get; } = new SpaceUsage[shards];

    /// <summary>Whether the cache has moved on to another space, or is deleted.</summary>
    public bool Dead => _dead;

    public void Kill() => _dead = true;
}
