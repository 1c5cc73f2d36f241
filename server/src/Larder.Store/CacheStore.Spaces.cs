namespace Larder.Store;

/// <summary>Numbers of caches and of their spaces: given out, and taken back when nothing refers to them. Under the directory lock.</summary>
public sealed partial class CacheStore
{
    private readonly Stack<int> _freeOrdinals = new();
    private readonly DeletedCaches _deleted = new();
    private int _nextOrdinal;

    private Cache NewCache(string name)
    {
        int ordinal = _freeOrdinals.TryPop(out int free) ? free : _nextOrdinal++;

        // Each cache hashes its own way, so that the same key in many of them does not crowd one place of the index.
        var cache = new Cache(this, name, ordinal, KeyHash.NewSeed(), CountsAt(ordinal));
        cache.Space = NewSpace(cache);
        return cache;
    }

    private void RecycleSpaces()
    {
        if (_disposed)
        {
            // The memory is given back already.
            return;
        }

        if (_spaces.DeadCount > SpaceTable.MaxDead)
        {
            foreach (Shard shard in _shards)
            {
                shard.ReclaimFlushed();
            }
        }

        _spaces.Recycle(HoldsNothing, SpaceReleased);
    }

    private bool HoldsNothing(Space space)
    {
        foreach (Shard shard in _shards)
        {
            if (shard.UsageOfSpace(space.Id).Entries > 0)
            {
                return false;
            }
        }

        return true;
    }

    private void SpaceReleased(Space space)
    {
        Cache cache = space.Cache;
        if (--cache.SpacesHeld == 0)
        {
            _deleted.Leave(cache, CountsOf(cache));
            _freeOrdinals.Push(cache.Ordinal);
        }
    }

    private Space NewSpace(Cache cache)
    {
        cache.SpacesHeld++;
        return _spaces.Create(cache);
    }
}
