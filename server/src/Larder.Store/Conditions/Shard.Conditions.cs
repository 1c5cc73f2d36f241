namespace Larder.Store;

/// <summary>
/// Conditional sets that compare the hash of the current value. The SHA-256 of a large value takes milliseconds, so it is computed within an epoch, without
/// holding the lock. Later, while the lock is held, a serial number identifies the entry. This works because large entries neither change nor move. Smaller
/// values are hashed under the lock.
/// </summary>
internal sealed unsafe partial class Shard
{
    // An attempt fails if another large value was stored under the key during the attempt. Only concurrent writes to this key cause this. After this many
    // failures, the value is hashed while the lock is held.
    private const int LockFreeAttempts = 4;

    /// <summary>The number of bytes that were hashed while the lock was held, since the store was created.</summary>
    public long BytesHashedLocked { get; private set; }

    public SetOutcome SetIfHash(
        Cache cache,
        uint hash,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        long ttlMs,
        in SetCondition condition,
        ReaderSlot reader)
    {
        if (CallPace.Defers(CallCost.ToHash(LengthOf(cache, hash, key))))
        {
            return SetOutcome.Deferred;
        }

        for (int left = LockFreeAttempts; ; left--)
        {
            LargeHash known = HashLarge(cache, hash, key, reader);
            SetOutcome outcome = TrySetIf(cache, hash, key, value, ttlMs, condition, known, mayHash: left == 0, out bool undecided);
            if (!undecided)
            {
                return outcome;
            }
        }
    }

    private long LengthOf(Cache cache, uint hash, ReadOnlySpan<byte> key)
    {
        lock (_lock)
        {
            Space space = cache.Space;
            EntryHeader* entry = null;
            return space.Dead || FindSlot(hash, space.Id, key, out entry) == null ? 0 : entry->ValueLength;
        }
    }

    private LargeHash HashLarge(Cache cache, uint hash, ReadOnlySpan<byte> key, ReaderSlot reader)
    {
        LargeHash large = default;
        EntryHeader* entry;
        lock (_lock)
        {
            Space space = cache.Space;
            ulong* slot = space.Dead ? null : FindSlot(hash, space.Id, key, out entry);
            if (slot == null || SerialOf(*slot) == 0)
            {
                return large;
            }

            entry = _heap.EntryAt(IndexTable.AddressOf(*slot));
            large.Address = IndexTable.AddressOf(*slot);
            large.Serial = SerialOf(*slot);

            // Enter the epoch only after taking the lock. The thread that holds the lock may be waiting for readers to leave their epochs.
            reader.Enter();
        }

        try
        {
            Cache.HashValue(EntryHeader.Value(entry), large.Hash);
            return large;
        }
        finally
        {
            reader.Exit();
        }
    }

    /// <summary>Returns whether a condition on the hash allows the set. The caller holds the lock of the existing entry.</summary>
    /// <param name="undecided">True if the result is unknown, because the value is large and its hash was not computed.</param>
    private bool AllowsHash(in SetCondition condition, ulong word, EntryHeader* entry, in LargeHash known, bool mayHash, out bool undecided)
    {
        long serial = SerialOf(word);
        undecided = false;
        if (serial != 0 && serial == known.Serial && IndexTable.AddressOf(word) == known.Address)
        {
            return condition.AllowsHash(known.Hash);
        }

        if (serial != 0 && !mayHash)
        {
            undecided = true;
            return false;
        }

        BytesHashedLocked += entry->ValueLength;
        return condition.Allows(exists: true, EntryHeader.Value(entry));
    }

    // Returns the serial number of the segment if it contains a single entry with a fixed value, otherwise 0.
    private long SerialOf(ulong word)
    {
        uint address = IndexTable.AddressOf(word);
        ref readonly Segment segment = ref _heap[_heap.SegmentOf(address)];
        return segment.Single && _heap.EntryAt(address)->IsFixed ? segment.Serial : 0;
    }
}
