namespace Larder.Store;

/// <summary>
/// The removed tags of one cache. Removals are numbered. An item is invalid if it was created before the last removal of any of its tags, so removing a tag
/// costs the same however many items have it. Thread-safe.
/// </summary>
/// <remarks>
/// All caches of a store together remember <see cref="MaxRemembered"/> tags. When the limit is reached, the cache with the most tags forgets its oldest ones,
/// for itself or for a cache that has fewer. This also invalidates all its items that have any tag and were created before those removals.
/// </remarks>
/// <param name="pool">The pool of places that all caches of the store share.</param>
internal sealed class RemovedTags(SharedPool pool) : PoolShare
{
    /// <summary>
    /// Maximum number of tags that all caches of a store remember together. A tag takes 36 to 144 bytes (the table is at least a quarter full): at most 38 MB
    /// in total.
    /// </summary>
    public const int MaxRemembered = 262_144;

    /// <summary>
    /// Number of tags that each cache may remember even if the limit is exceeded. At least 4,096 caches must have this many tags before that happens.
    /// </summary>
    public const int AlwaysRemembered = 64;

    private readonly RemovalTable _removals = new();
    private bool _isClosed;
    private long _last;
    private long _allBefore;

    /// <summary>The number of the last removal.</summary>
    public long Now => Volatile.Read(ref _last);

    /// <summary>Invalidates all items that have any of these tags and were created before now.</summary>
    public void Remove(ReadOnlySpan<ulong> tags)
    {
        int reserved = 0;
        while (!TryRemove(tags, ref reserved, out int missing))
        {
            // Outside the lock, because another cache may have to forget tags for this one.
            int got = pool.Take(this, missing);
            reserved += got;
            int own = got == missing ? 0 : MakeRoom(missing - got);
            reserved += own;
            if (got + own == 0)
            {
                RemoveEverything(reserved);
                return;
            }
        }
    }

    /// <summary>Returns whether an item with these tags, created at <paramref name="madeIn"/>, was invalidated since.</summary>
    public bool HaveRemoved(long madeIn, ReadOnlySpan<ulong> tags)
    {
        if (tags.IsEmpty)
        {
            return false;
        }

        // Check the tags before _allBefore: GiveUp writes in the opposite order.
        foreach (ulong tag in tags)
        {
            if (_removals.TryRead(tag, out long number) && number > madeIn)
            {
                return true;
            }
        }

        return Volatile.Read(ref _allBefore) > madeIn;
    }

    /// <summary>Returns the places of a deleted cache to the pool. It remembers no more tags.</summary>
    public void Close()
    {
        lock (_removals.Gate)
        {
            _isClosed = true;
            Volatile.Write(ref _allBefore, long.MaxValue);
            pool.GiveBack(this, _removals.Count);
            _removals.Clear();
        }
    }

    /// <inheritdoc/>
    public override int GiveUp(int places)
    {
        lock (_removals.Gate)
        {
            int given = 0;
            for (; given < places && _removals.TryPeekOldest(out long number); given++)
            {
                // Write this before removing the tag: a reader that does not find the tag then sees this value.
                Volatile.Write(ref _allBefore, number);
                _removals.RemoveOldest();
            }

            return given;
        }
    }

    // Returns true if the tags were removed; otherwise the number of places still missing is in the out parameter.
    private bool TryRemove(ReadOnlySpan<ulong> tags, ref int reserved, out int missing)
    {
        lock (_removals.Gate)
        {
            int needed = 0;
            foreach (ulong tag in tags)
            {
                needed += _removals.Contains(tag) ? 0 : 1;
            }

            missing = _isClosed ? 0 : needed - reserved;
            if (missing > 0)
            {
                return false;
            }

            int before = _removals.Count;
            if (!_isClosed)
            {
                Add(tags);
            }

            pool.GiveBack(this, reserved - (_removals.Count - before));
            return true;
        }
    }

    // Requires the lock, and a place for each new tag.
    private void Add(ReadOnlySpan<ulong> tags)
    {
        long number = _last + 1;
        foreach (ulong tag in tags)
        {
            _removals.Put(tag, number);
        }

        // Published last: a value whose creation starts after this has this version; an earlier one is older than the tag's removal.
        Volatile.Write(ref _last, number);
    }

    // No other cache has more tags, so this cache forgets its own oldest ones.
    private int MakeRoom(int places)
    {
        lock (_removals.Gate)
        {
            if (_removals.Count + places > AlwaysRemembered)
            {
                return GiveUp(places);
            }
        }

        pool.TakeAboveLimit(this, places);
        return places;
    }

    // The request has more tags than this cache can get places for. Invalidates all items that have any tag, which includes the requested ones.
    private void RemoveEverything(int reserved)
    {
        lock (_removals.Gate)
        {
            if (!_isClosed)
            {
                reserved += GiveUp(_removals.Count);
                Volatile.Write(ref _allBefore, _last + 1);
                Volatile.Write(ref _last, _last + 1);
            }

            pool.GiveBack(this, reserved);
        }
    }
}
