namespace Larder.Store;

/// <summary>Allocates the numbers of caches and spaces, and reuses them when nothing refers to them anymore. Callers hold the directory lock.</summary>
public sealed partial class CacheStore
{
    private readonly Stack<int> _freeOrdinals = new();
    private readonly DeletedCaches _deleted = new();
    private int _nextOrdinal;

    private Cache NewCache(string name, long maxBytes)
    {
        int ordinal = _freeOrdinals.TryPop(out int free) ? free : _nextOrdinal++;

        // Each cache has its own hash seed. Otherwise, a key that many caches contain would have the same index position in all of them.
        var cache = new Cache(this, name, maxBytes, ordinal, KeyHash.NewSeed(), CountsAt(ordinal));
        cache.Space = NewSpace(cache);
        return cache;
    }

    /// <summary>
    /// Kills a space. If many dead spaces wait for reclaim, this method also sweeps part of the shards. Therefore, there are never more than
    /// <see cref="SpaceTable.MaxDead"/> dead spaces.
    /// </summary>
    private void Kill(Space space)
    {
        _spaces.Kill(space);
        if (_spaces.Dead.Length > _spaces.MaxDead / 2)
        {
            // The sweep in progress ends within the next MaxDead / 4 flushes. The sweep after it finds all dead spaces that exist now, and ends within another
            // MaxDead / 4 flushes.
            Array.ForEach(_shards, shard => shard.SweepPart(_spaces.MaxDead / 4));
        }

        RecycleSpaces();
    }

    private void RecycleSpaces() => _spaces.Recycle(_shards.Min(shard => shard.SweptFlush), SpaceReleased);

    private void SpaceReleased(Space space)
    {
        Cache cache = space.Cache;
        if (--cache.SpacesHeld == 0)
        {
            cache.Forget();
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
