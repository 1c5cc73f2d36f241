namespace Larder.Store;

/// <summary>
/// Sets that depend on the present value's hash. SHA-256 of a large value takes milliseconds, so it is made outside the lock, inside an epoch; under
/// the lock the entry is known again by its serial number, as large entries neither change nor move. Shorter values are hashed under the lock.
/// </summary>
internal sealed unsafe partial class Shard
{
    // A try fails where another value as large was stored meanwhile. After these, which only writers of this very key can bring about, the lock is kept.
    private const int TriesOutsideTheLock = 4;

    /// <summary>Bytes hashed with the lock held since the store was built.</summary>
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

        for (int left = TriesOutsideTheLock; ; left--)
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

            // Not before the lock is held: its holder may be waiting for readers to leave.
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

    /// <summary>Whether the condition on the hash of a present value, whose lock is held, allows the set.</summary>
    /// <param name="undecided">Whether it cannot be told: the value is large, and not the one whose hash is known.</param>
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

    // Of an entry alone in its segment, whose value does not change; of others 0.
    private long SerialOf(ulong word)
    {
        uint address = IndexTable.AddressOf(word);
        ref readonly Segment segment = ref _heap[_heap.SegmentOf(address)];
        return segment.Single && _heap.EntryAt(address)->IsFixed ? segment.Serial : 0;
    }
}
