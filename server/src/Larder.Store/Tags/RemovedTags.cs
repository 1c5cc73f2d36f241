namespace Larder.Store;

/// <summary>
/// The tags of one cache that were removed, and when: removals are numbered, and what was made before the last removal of one of its tags is no longer
/// there. So removing costs the same whatever has the tag. Safe from any thread.
/// </summary>
/// <remarks>
/// All caches of a store together remember <see cref="MaxRemembered"/> tags. At that bound the cache with the most forgets its oldest ones, for itself or for
/// a cache that has fewer, and with them everything of its own that has a tag and was made before they were removed.
/// </remarks>
/// <param name="pool">Where all caches of the store take what they remember from.</param>
internal sealed class RemovedTags(SharedPool pool) : PoolShare
{
    /// <summary>Tags that all caches of a store remember together. Each takes 36 to 144 bytes (the table is at least a quarter full): at most 38 MB.</summary>
    public const int MaxRemembered = 262_144;

    /// <summary>Tags that each cache may remember, also beyond that bound: 4,096 caches have to be at this number before one is.</summary>
    public const int AlwaysRemembered = 64;

    private readonly RemovalTable _removals = new();
    private bool _isClosed;
    private long _last;
    private long _allBefore;

    /// <summary>The number of the last removal.</summary>
    public long Now => Volatile.Read(ref _last);

    /// <summary>Removes everything that has one of these tags and was made before now.</summary>
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

    /// <summary>Whether what was made then, with these tags, was removed since.</summary>
    public bool HaveRemoved(long madeIn, ReadOnlySpan<ulong> tags)
    {
        if (tags.IsEmpty)
        {
            return false;
        }

        // In this order: forgetting happens in the other.
        foreach (ulong tag in tags)
        {
            if (_removals.TryRead(tag, out long number) && number > madeIn)
            {
                return true;
            }
        }

        return Volatile.Read(ref _allBefore) > madeIn;
    }

    /// <summary>Gives the places of a cache that is deleted back. It remembers nothing more.</summary>
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
                // Before the tag goes: whoever does not find it finds this.
                Volatile.Write(ref _allBefore, number);
                _removals.RemoveOldest();
            }

            return given;
        }
    }

    // True if it is done. False: so many more places are missing.
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

    // Under the lock, with a place for each tag that is new.
    private void Add(ReadOnlySpan<ulong> tags)
    {
        long number = _last + 1;
        foreach (ulong tag in tags)
        {
            _removals.Put(tag, number);
        }

        // A value whose making begins after this has it behind it; one that began before is older than the tag's removal.
        Volatile.Write(ref _last, number);
    }

    // No other cache has more: its own oldest tags go.
    private int MakeRoom(int places)
    {
        lock (_removals.Gate)
        {
            if (_removals.Count + places > AlwaysRemembered)
            {
                return GiveUp(places);
            }
        }

        pool.TakeBeyond(this, places);
        return places;
    }

    // More tags at once than this cache has places, and no place to be had: everything that has a tag is removed, which includes what has one of these.
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
