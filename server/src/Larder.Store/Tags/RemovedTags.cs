namespace Larder.Store;

/// <summary>
/// The removed tags of one cache. Removals are numbered. An item is invalid if it was created before the last removal of any of its tags. So the cost of
/// removing a tag does not depend on the number of items that have the tag. Thread-safe.
/// </summary>
/// <remarks>
/// All caches of a store together remember <see cref="MaxRemembered"/> tags. When the limit is reached, the cache with the most tags forgets its oldest tags,
/// to free places for itself or for a cache with fewer tags. This also invalidates all items of that cache that have any tag and were created before the
/// forgotten removals.
/// </remarks>
/// <param name="pool">The pool of places that all caches of the store share.</param>
internal sealed class RemovedTags(SharedPool pool) : PoolShare
{
    /// <summary>
    /// The maximum number of tags that all caches of a store remember together. A tag takes 36 to 144 bytes, because the table is at least a quarter full. In
    /// total, the tags take at most 38 MB.
    /// </summary>
    public const int MaxRemembered = 262_144;

    /// <summary>
    /// The number of tags that each cache may remember even if the limit is exceeded. The limit is exceeded only if at least 4,096 caches have this many tags.
    /// </summary>
    public const int AlwaysRemembered = 64;

    private readonly RemovalTable _removals = new();
    private bool _isClosed;
    private long _last;
    private long _allBefore;

    /// <summary>The number of the last removal.</summary>
    public long Now => Volatile.Read(ref _last);

    /// <summary>Invalidates all existing items that have any of these tags.</summary>
    public void Remove(ReadOnlySpan<ulong> tags)
    {
        int reserved = 0;
        while (!TryRemove(tags, ref reserved, out int missing))
        {
            // Do not hold the lock here, because another cache may have to forget tags for this one.
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

    /// <summary>
    /// Returns whether an item with these tags was invalidated after its creation. <paramref name="madeIn"/> is the number of the last removal before the
    /// creation.
    /// </summary>
    public bool HaveRemoved(long madeIn, ReadOnlySpan<ulong> tags)
    {
        if (tags.IsEmpty)
        {
            return false;
        }

        // Check the tags before _allBefore, because GiveUp writes in the opposite order.
        foreach (ulong tag in tags)
        {
            if (_removals.TryRead(tag, out long number) && number > madeIn)
            {
                return true;
            }
        }

        return Volatile.Read(ref _allBefore) > madeIn;
    }

    /// <summary>Returns the deleted cache's share of the recorded tags to the pool. From now on, the cache records no tags.</summary>
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
                // Write this value before removing the tag. Then a reader that does not find the tag reads the new value.
                Volatile.Write(ref _allBefore, number);
                _removals.RemoveOldest();
            }

            return given;
        }
    }

    // Returns true if the tags were removed. Otherwise, <c>missing</c> receives the number of places that are still missing.
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

    // The caller must hold the lock and must have reserved a place for each new tag.
    private void Add(ReadOnlySpan<ulong> tags)
    {
        long number = _last + 1;
        foreach (ulong tag in tags)
        {
            _removals.Put(tag, number);
        }

        // Publish the number last. An item whose creation starts after this write stores this number or a higher one, so this removal does not invalidate the
        // item. An item that stores a lower number is invalid if it has one of these tags.
        Volatile.Write(ref _last, number);
    }

    // Called if no other cache has more tags. In this case, this cache forgets its own oldest tags.
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

    // Called if a request has more tags than the number of places that this cache can get. Invalidates all items that have any tag. This includes the items
    // with the requested tags.
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
