namespace Larder.Store;

/// <summary>TTL updates.</summary>
internal sealed unsafe partial class Shard
{
    public TtlUpdateOutcome UpdateTtl(Cache cache, uint hash, ReadOnlySpan<byte> key, TtlUpdate kind, long ttlMs, ref PrefixCondition condition)
    {
        int size;
        lock (_lock)
        {
            TtlUpdateOutcome outcome = UpdateTtlInPlace(cache.Space, hash, key, kind, ttlMs, ref condition, out size);
            if (size == 0)
            {
                return outcome;
            }
        }

        return WriteAgain(cache, hash, key, kind, ttlMs, ref condition, size);
    }

    /// <param name="space">The key's space.</param>
    /// <param name="hash">The key's hash.</param>
    /// <param name="key">The key.</param>
    /// <param name="kind">Whether the new TTL applies always, or only if it is longer or shorter than the remaining TTL.</param>
    /// <param name="ttlMs">The new TTL in milliseconds.</param>
    /// <param name="condition">The required prefix of the value.</param>
    /// <param name="size">The size of the entry, if the entry cannot be changed in place. In this case, nothing was changed. Otherwise, the size is 0.</param>
    private TtlUpdateOutcome UpdateTtlInPlace(
        Space space, uint hash, ReadOnlySpan<byte> key, TtlUpdate kind, long ttlMs, ref PrefixCondition condition, out int size)
    {
        size = 0;
        long nowMs = _parts.Clock.NowMs;
        long expiresAtMs = nowMs + ttlMs;
        ulong* slot = LockLive(hash, space, key, nowMs, out EntryHeader* entry);
        try
        {
            if (slot == null || !TtlUpdateRule.Applies(kind, expiresAtMs, entry->ExpiresAtMs))
            {
                return slot == null ? TtlUpdateOutcome.Missing : TtlUpdateOutcome.NotSet;
            }

            if (!condition.Holds(entry, out TtlUpdateOutcome unmet))
            {
                return unmet;
            }

            if (entry->CanChange)
            {
                Change(entry, IndexTable.AddressOf(*slot), expiresAtMs, default);
            }
            else
            {
                size = EntryHeader.SizeOf(entry);
            }

            return TtlUpdateOutcome.Set;
        }
        finally
        {
            EntryHeader.Unlock(entry);
        }
    }

    /// <summary>
    /// Changes the expiry of an entry that cannot be changed in place, by writing the entry again. Freeing memory for the write may evict the entry.
    /// </summary>
    private TtlUpdateOutcome WriteAgain(
        Cache cache, uint hash, ReadOnlySpan<byte> key, TtlUpdate kind, long ttlMs, ref PrefixCondition condition, int size)
    {
        while (true)
        {
            EnterWithSpace(size);
            try
            {
                int room = size;
                Space space = cache.Space;
                TtlUpdateOutcome outcome = UpdateTtlInPlace(space, hash, key, kind, ttlMs, ref condition, out size);
                if (size == 0)
                {
                    return outcome;
                }

                // If another thread has stored a larger value since the memory was freed, retry with more memory.
                if (size <= room)
                {
                    long nowMs = _parts.Clock.NowMs;
                    ulong* slot = LockLive(hash, space, key, nowMs, out EntryHeader* entry);
                    try
                    {
                        if (slot == null)
                        {
                            return TtlUpdateOutcome.Missing;
                        }

                        Write(space, hash, slot, key, EntryHeader.Value(entry), nowMs + ttlMs, entry->Type, EntryHeader.Tail(entry));
                        return outcome;
                    }
                    finally
                    {
                        EntryHeader.Unlock(entry);
                    }
                }
            }
            finally
            {
                _lock.Exit();
            }
        }
    }
}
