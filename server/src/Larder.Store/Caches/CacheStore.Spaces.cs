namespace Larder.Store;

/// <summary>Numbers of caches and of their spaces: given out, and taken back when nothing refers to them. Under the directory lock.</summary>
public sealed partial class CacheStore
{
    private readonly Stack<int> _freeOrdinals = new();
    private readonly DeletedCaches _deleted = new();
    private int _nextOrdinal;

    private Cache NewCache(string name, long maxBytes)
    {
        int ordinal = _freeOrdinals.TryPop(out int free) ? free : _nextOrdinal++;

        // Each cache hashes its own way, so that the same key in many of them does not crowd one place of the index.
        var cache = new Cache(this, name, maxBytes, ordinal, KeyHash.NewSeed(), CountsAt(ordinal));
        cache.Space = NewSpace(cache);
        return cache;
    }

    /// <summary>Ends a space. Where many await reclaim, part of it is done here, so that there are never more than <see cref="SpaceTable.MaxDead"/>.</summary>
    private void Kill(Space space)
    {
        _spaces.Kill(space);
        if (_spaces.Dead.Length > _spaces.MaxDead / 2)
        {
            // A pass under way ends within a quarter of that many flushes, and one that finds all there are now within another.
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
