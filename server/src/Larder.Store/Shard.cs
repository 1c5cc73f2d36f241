namespace Larder.Store;

/// <summary>
/// One part of the store: its own lock, index, expiry wheel, queues and share of the memory. A key always belongs to the same shard, so
/// what is atomic per key is what happens under this lock, or under the entry's own (<see cref="EntryHeader"/>), which is taken inside it.
/// Lookups take no lock: they run inside an epoch (<see cref="Epochs"/>), and memory they may be looking at is not used again before they
/// leave. Overwriting a value with one as long takes the entry's lock alone, so that two threads meet only where they write the same key.
/// </summary>
internal sealed unsafe partial class Shard : IDisposable
{
    private readonly Lock _lock = new();
    private readonly StoreParts _parts;
    private readonly SegmentHeap _heap;
    private readonly ExpiryWheel _wheel;
    private readonly long _maxBytes;
    private ShardCounters[] _counters = new ShardCounters[8];
    private SpaceUsage[] _usage = new SpaceUsage[8];
    private bool _closed;

    public Shard(long maxBytes, StoreParts parts)
    {
        _maxBytes = maxBytes;
        _parts = parts;
        _heap = new SegmentHeap(maxBytes, parts.Epochs, parts.PoisonFreedMemory);
        _wheel = new ExpiryWheel(_heap);
        Index = IndexTable.Create(MinGroups);
        _tableBytes = IndexTable.BytesFor(MinGroups) + (_heap.MaxSegments * sizeof(byte*));
    }

    /// <summary>Finds the entry of a key, whether expired or not; null if there is none. Called inside an epoch, or under the lock.</summary>
    public EntryHeader* Find(uint hash, int spaceId, ReadOnlySpan<byte> key)
    {
        ulong* slot = FindSlot(hash, spaceId, key, out EntryHeader* entry);
        return slot == null ? null : entry;
    }

    /// <summary>Overwrites the value of a live entry where it stands, without the shard's lock. Called inside an epoch.</summary>
    /// <returns>Whether it was done; if not, nothing was, and the caller goes on with <see cref="SetIf"/>.</returns>
    public bool TryOverwrite(uint hash, int spaceId, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs)
    {
        EntryHeader* entry = value.Length > EntryHeader.MaxCopiedValueBytes ? null : Find(hash, spaceId, key);
        if (entry == null || entry->IsFixed || entry->ValueLength != value.Length)
        {
            return false;
        }

        long nowMs = _parts.Clock.NowMs;
        return EntryHeader.TryOverwrite(entry, nowMs, nowMs + ttlMs, value);
    }

    public bool SetIf(Cache cache, uint hash, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs, in SetCondition condition) =>
        TrySetIf(cache, hash, key, value, ttlMs, condition, default, mayHash: true, out _);

    private bool TrySetIf(Cache cache, uint hash, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long ttlMs, in SetCondition condition, in LargeHash known, bool mayHash, out bool undecided)
    {
        undecided = false;
        lock (_lock)
        {
            if (cache.LiveSpace is not { } space)
            {
                return false;
            }

            long nowMs = _parts.Clock.NowMs;
            Prepare(EntryHeader.SizeOf(key.Length, value.Length), nowMs);
            ulong* slot = LockLive(hash, space, key, nowMs, out EntryHeader* entry);
            try
            {
                bool allowed = slot != null && condition.ComparesHash
                    ? AllowsHash(condition, *slot, entry, known, mayHash, out undecided)
                    : condition.Allows(slot != null, slot == null ? default : EntryHeader.Value(entry));
                if (!allowed)
                {
                    return false;
                }

                Write(space, hash, slot, key, value, nowMs + ttlMs);
                CountSet(space);
                return true;
            }
            finally
            {
                EntryHeader.Unlock(entry);
            }
        }
    }

    public bool Delete(Cache cache, uint hash, ReadOnlySpan<byte> key)
    {
        lock (_lock)
        {
            ulong* slot = LockLive(hash, cache.Space, key, _parts.Clock.NowMs, out EntryHeader* entry);
            if (slot == null)
            {
                return false;
            }

            Remove(slot, entry, RemovalReason.Deleted);
            return true;
        }
    }

    public IncrementOutcome Increment(Cache cache, uint hash, ReadOnlySpan<byte> key, long amount, long ttlMs, out long value)
    {
        lock (_lock)
        {
            value = 0;
            if (cache.LiveSpace is not { } space)
            {
                return IncrementOutcome.NoCache;
            }

            long nowMs = _parts.Clock.NowMs;
            Prepare(EntryHeader.SizeOf(key.Length, IntegerText.MaxBytes), nowMs);
            ulong* slot = LockLive(hash, space, key, nowMs, out EntryHeader* entry);
            try
            {
                if (slot != null && !IntegerText.TryParse(EntryHeader.Value(entry), out value))
                {
                    return IncrementOutcome.NotAnInteger;
                }

                long sum = unchecked(value + amount);
                if (((value ^ sum) & (amount ^ sum)) < 0)
                {
                    return IncrementOutcome.Overflow;
                }

                value = sum;
                Span<byte> text = stackalloc byte[IntegerText.MaxBytes];
                Write(space, hash, slot, key, text[..IntegerText.Format(sum, text)], nowMs + ttlMs);
                CountSet(space);
                return IncrementOutcome.Ok;
            }
            finally
            {
                EntryHeader.Unlock(entry);
            }
        }
    }

    public TtlUpdateOutcome UpdateTtl(Cache cache, uint hash, ReadOnlySpan<byte> key, TtlUpdate kind, long ttlMs)
    {
        lock (_lock)
        {
            Space space = cache.Space;
            long nowMs = _parts.Clock.NowMs;
            long expiresAtMs = nowMs + ttlMs;
            int size;
            ulong* slot = LockLive(hash, space, key, nowMs, out EntryHeader* entry);
            try
            {
                if (slot == null || !TtlUpdateRule.Applies(kind, expiresAtMs, entry->ExpiresAtMs))
                {
                    return slot == null ? TtlUpdateOutcome.Missing : TtlUpdateOutcome.NotSet;
                }

                if (entry->CanChange)
                {
                    Change(entry, IndexTable.AddressOf(*slot), expiresAtMs, default);
                    return TtlUpdateOutcome.Set;
                }

                size = entry->SizeBytes;
            }
            finally
            {
                EntryHeader.Unlock(entry);
            }

            return WriteAgain(space, hash, key, size, nowMs, expiresAtMs);
        }
    }

    /// <summary>This shard's counters of one cache.</summary>
    public ShardCounters CountersOfCache(int ordinal)
    {
        lock (_lock)
        {
            return ordinal < _counters.Length ? _counters[ordinal] : default;
        }
    }

    /// <summary>What one space holds here.</summary>
    public SpaceUsage UsageOfSpace(int spaceId)
    {
        lock (_lock)
        {
            return spaceId < _usage.Length ? _usage[spaceId] : default;
        }
    }

    /// <summary>From now on lookups find nothing and writes are refused.</summary>
    public void Close()
    {
        lock (_lock)
        {
            if (!_closed)
            {
                _closed = true;
                _retiredTables.Add(((nint)Index, 0));
                Index = IndexTable.Empty;
            }
        }
    }

    /// <summary>Gives the memory back; after <see cref="Close"/>, when no reader is inside any more.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _heap.Dispose();
            _retiredTables.ForEach(table => IndexTable.Destroy((IndexTable*)table.Table));
            _retiredTables.Clear();
            _ghosts?.Free();
        }
    }

    /// <summary>Finds a live entry and takes its lock; an expired one is removed.</summary>
    /// <returns>Its slot, or null if there is none; then <paramref name="entry"/> is null too, and nothing is locked.</returns>
    private ulong* LockLive(uint hash, Space space, ReadOnlySpan<byte> key, long nowMs, out EntryHeader* entry)
    {
        entry = null;
        ulong* slot = space.Dead ? null : FindSlot(hash, space.Id, key, out entry);
        if (slot == null)
        {
            return null;
        }

        EntryHeader.Lock(entry);
        if (entry->ExpiresAtMs > nowMs)
        {
            return slot;
        }

        Remove(slot, entry, RemovalReason.Expired);
        entry = null;
        return null;
    }

    /// <summary>Gives an entry that cannot change any more another expiry, by writing it anew; making room for that may evict it.</summary>
    private TtlUpdateOutcome WriteAgain(Space space, uint hash, ReadOnlySpan<byte> key, int size, long nowMs, long expiresAtMs)
    {
        Prepare(size, nowMs);
        ulong* slot = LockLive(hash, space, key, nowMs, out EntryHeader* entry);
        try
        {
            if (slot == null)
            {
                return TtlUpdateOutcome.Missing;
            }

            Write(space, hash, slot, key, EntryHeader.Value(entry), expiresAtMs);
            return TtlUpdateOutcome.Set;
        }
        finally
        {
            EntryHeader.Unlock(entry);
        }
    }

    private void CountSet(Space space)
    {
        if (!space.Dead)
        {
            CountersOf(space.Cache).Sets++;
        }
    }

    private ref ShardCounters CountersOf(Cache cache)
    {
        if (cache.Ordinal >= _counters.Length)
        {
            Array.Resize(ref _counters, Math.Max(cache.Ordinal + 1, _counters.Length * 2));
        }

        return ref _counters[cache.Ordinal];
    }

    private ref SpaceUsage UsageOf(int spaceId)
    {
        if (spaceId >= _usage.Length)
        {
            Array.Resize(ref _usage, Math.Max(spaceId + 1, _usage.Length * 2));
        }

        return ref _usage[spaceId];
    }
}
