using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>
/// A part of the store with its own lock, index, expiry wheel, queues and share of the memory. A key always belongs to the same shard. Operations on a key are
/// atomic, because they run under the shard's lock or under the entry's own lock (<see cref="EntryHeader"/>). A thread that takes both locks takes the shard's
/// lock first. Lookups take no lock. They run within an epoch (<see cref="Epochs"/>), and memory that they may access is not reused until they leave the epoch.
/// To overwrite a value with another value of the same length, a thread takes only the entry's lock. Therefore, two such threads block each other only if they
/// write the same key.
/// </summary>
internal sealed unsafe partial class Shard : IDisposable
{
    private readonly Lock _lock = new();
    private readonly StoreParts _parts;
    private readonly SegmentHeap _heap;
    private readonly ExpiryWheel _wheel;
    private readonly WaitingWrites _waiting;
    private readonly long _maxBytes;
    private ShardCounters[] _counters = new ShardCounters[8];
    private SpaceUsage[] _usage = new SpaceUsage[8];
    private bool _closed;

    public Shard(long maxBytes, StoreParts parts)
    {
        _maxBytes = maxBytes;
        _parts = parts;
        _heap = new SegmentHeap(SegmentPlan.For(maxBytes), parts.Pages, parts.Epochs, parts.PoisonFreedMemory);
        _blocks = new BlockHeap(parts.Pages, _heap.SmallSegmentBytes, _heap.SegmentBytes, parts.PoisonFreedMemory);
        _wheel = new ExpiryWheel(_heap);
        _waiting = new WaitingWrites(_lock);
        Index = IndexTable.TryCreate(parts.Pages, MinGroups);
        if (Index == null)
        {
            throw PageRegions.Refused(IndexTable.BytesFor(MinGroups));
        }

        _tableBytes = IndexTable.BytesFor(MinGroups) + _heap.TableBytes + AccountBytes;
    }

    /// <summary>The memory of a cache's accounts in one shard, in bytes.</summary>
    public static long AccountBytesPerCache => AccountBytesPerSpace + sizeof(ShardCounters);

    /// <summary>
    /// The part of <see cref="AccountBytesPerCache"/> that belongs to one space. Each flush of the cache allocates this part for a new space. The part of the
    /// flushed space is freed when the flushed entries have been swept.
    /// </summary>
    public static long AccountBytesPerSpace => sizeof(SpaceUsage);

    /// <summary>
    /// Finds the entry of a key, even if it has expired. Returns null if there is no entry. Must be called within an epoch or under the lock.
    /// </summary>
    public EntryHeader* Find(uint hash, int spaceId, ReadOnlySpan<byte> key)
    {
        ulong* slot = FindSlot(hash, spaceId, key, out EntryHeader* entry);
        return slot == null ? null : entry;
    }

    /// <summary>Overwrites the value of a live entry in place, without the shard's lock. Must be called within an epoch.</summary>
    /// <returns>False if the entry was not overwritten and nothing was changed. The caller must then use <see cref="SetIf"/>.</returns>
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

    /// <param name="cache">The cache.</param>
    /// <param name="hash">The key's hash.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="ttlMs">The time to live in milliseconds.</param>
    /// <param name="condition">The condition of the set.</param>
    /// <param name="tail">The entry's tail; empty if there is no tail.</param>
    public SetOutcome SetIf(
        Cache cache,
        uint hash,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        long ttlMs,
        in SetCondition condition,
        ReadOnlySpan<byte> tail = default) => TrySetIf(cache, hash, key, value, ttlMs, condition, default, mayHash: true, out _, tail);

    private SetOutcome TrySetIf(
        Cache cache,
        uint hash,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        long ttlMs,
        in SetCondition condition,
        in LargeHash known,
        bool mayHash,
        out bool undecided,
        ReadOnlySpan<byte> tail = default)
    {
        undecided = false;
        EntryHeader* entry = null;
        EnterWithSpace(EntryHeader.SizeOf(key.Length, value.Length + tail.Length));
        try
        {
            if (cache.LiveSpace is not { } space)
            {
                return SetOutcome.NotStored;
            }

            long nowMs = _parts.Clock.NowMs;
            ulong* slot = LockLive(hash, space, key, nowMs, out entry);
            if (slot != null && entry->Type != ItemType.Scalar && condition.ComparesValue)
            {
                return SetOutcome.WrongType;
            }

            bool allowed = slot != null && condition.ComparesHash
                ? AllowsHash(condition, *slot, entry, known, mayHash, out undecided)
                : condition.Allows(slot != null, slot == null ? default : EntryHeader.Value(entry));
            if (!allowed)
            {
                return SetOutcome.NotStored;
            }

            Write(space, hash, slot, key, value, nowMs + ttlMs, ItemType.Scalar, tail);
            CountSet(space);
            return SetOutcome.Stored;
        }
        finally
        {
            EntryHeader.Unlock(entry);
            _lock.Exit();
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

    public IncrementOutcome Increment(Cache cache, uint hash, ReadOnlySpan<byte> key, long amount, long ttlMs, bool keepTtl, out long value)
    {
        EntryHeader* entry = null;
        EnterWithSpace(EntryHeader.SizeOf(key.Length, IntegerText.MaxBytes));
        try
        {
            value = 0;
            if (cache.LiveSpace is not { } space)
            {
                return IncrementOutcome.NoCache;
            }

            long nowMs = _parts.Clock.NowMs;
            ulong* slot = LockLive(hash, space, key, nowMs, out entry);
            if (slot != null && entry->Type != ItemType.Scalar)
            {
                return IncrementOutcome.WrongType;
            }

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
            long expiresAtMs = keepTtl && slot != null ? entry->ExpiresAtMs : nowMs + ttlMs;
            Write(space, hash, slot, key, text[..IntegerText.Format(sum, text)], expiresAtMs, ItemType.Scalar);
            CountSet(space);
            return IncrementOutcome.Ok;
        }
        finally
        {
            EntryHeader.Unlock(entry);
            _lock.Exit();
        }
    }

    /// <summary>Returns this shard's counters for a cache.</summary>
    public ShardCounters CountersOfCache(int ordinal)
    {
        lock (_lock)
        {
            return ordinal < _counters.Length ? _counters[ordinal] : default;
        }
    }

    /// <summary>Returns the entries and bytes of a space in this shard.</summary>
    public SpaceUsage UsageOfSpace(int spaceId)
    {
        lock (_lock)
        {
            return spaceId < _usage.Length ? _usage[spaceId] : default;
        }
    }

    /// <summary>Closes the shard. Later lookups find nothing, and later writes throw.</summary>
    public void Close()
    {
        lock (_lock)
        {
            if (!_closed)
            {
                _closed = true;
                if (_next != null)
                {
                    AbandonCopy();
                }

                _retiredTables.Add(((nint)Index, 0));
                Index = IndexTable.Empty;
            }
        }
    }

    /// <summary>Frees the memory. Must be called after <see cref="Close"/>, when there are no readers anymore.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _heap.Dispose();
            _blocks.Dispose();
            _retiredTables.ForEach(table => IndexTable.Destroy(_parts.Pages, (IndexTable*)table.Table));
            _retiredTables.Clear();
            _ghosts?.Free();
        }
    }

    /// <summary>
    /// Finds a live entry and takes its lock. Removes the entry if it has expired (even if it could be served stale) or one of its tags was removed.
    /// </summary>
    /// <returns>The entry's slot, or null if there is no live entry. In that case, <paramref name="entry"/> is also null, and nothing is locked.</returns>
    private ulong* LockLive(uint hash, Space space, ReadOnlySpan<byte> key, long nowMs, out EntryHeader* entry)
    {
        entry = null;
        ulong* slot = space.Dead ? null : FindSlot(hash, space.Id, key, out entry);
        if (slot == null)
        {
            return null;
        }

        EntryHeader.Lock(entry);
        bool isExpired = entry->ExpiresAtMs <= nowMs;
        if (!isExpired && !space.Cache.HasRemoved(entry))
        {
            return slot;
        }

        Remove(slot, entry, isExpired ? RemovalReason.Expired : RemovalReason.Deleted);
        entry = null;
        return null;
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
            GrowAccounts(ref _counters, cache.Ordinal);
        }

        return ref _counters[cache.Ordinal];
    }

    private ref SpaceUsage UsageOf(int spaceId)
    {
        if (spaceId >= _usage.Length)
        {
            GrowAccounts(ref _usage, spaceId);
        }

        return ref _usage[spaceId];
    }

    private long AccountBytes => (_usage.Length * AccountBytesPerSpace) + (_counters.Length * (long)sizeof(ShardCounters));

    private void GrowAccounts<T>(ref T[] accounts, int index)
    {
        _tableBytes -= AccountBytes;
        Array.Resize(ref accounts, Math.Max(index + 1, accounts.Length * 2));
        _tableBytes += AccountBytes;
    }
}
