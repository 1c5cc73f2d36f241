namespace Larder.Store;

/// <summary>Updates of an entry's TTL.</summary>
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

    /// <param name="space">The space of the key.</param>
    /// <param name="hash">The key's hash.</param>
    /// <param name="key">The key.</param>
    /// <param name="kind">Whether the new TTL applies always, or only where it is longer or shorter.</param>
    /// <param name="ttlMs">The new TTL.</param>
    /// <param name="condition">What the value must begin with.</param>
    /// <param name="size">0, or the bytes of an entry that can no longer change where it stands; then nothing was done.</param>
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

    /// <summary>Gives an entry that cannot change any more another expiry, by writing it anew; making room for that may evict it.</summary>
    private TtlUpdateOutcome WriteAgain(
        Cache cache, uint hash, ReadOnlySpan<byte> key, TtlUpdate kind, long ttlMs, ref PrefixCondition condition, int size)
    {
        while (true)
        {
            EnterWithRoom(size);
            try
            {
                int room = size;
                Space space = cache.Space;
                TtlUpdateOutcome outcome = UpdateTtlInPlace(space, hash, key, kind, ttlMs, ref condition, out size);
                if (size == 0)
                {
                    return outcome;
                }

                // Another, larger value meanwhile wants more room.
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
