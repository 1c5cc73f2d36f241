namespace Larder.Store;

/// <summary>
/// Making room. What is dead is reclaimed first: expired entries, entries of flushed caches, the dead space of segments. Only then is
/// something live evicted, by S3-FIFO. The queues are chains of segments, so evicting is walking the oldest segment of a queue: what
/// deserves to stay is copied to the young end of the main queue, the rest is dropped, and the segment is free. Each write walks a few
/// entries ahead of its need, so that no single write walks many.
/// </summary>
internal sealed unsafe partial class Shard
{
    // Segments to have ready: one for each queue being written, one being emptied, one waiting for its readers.
    private const int LowWater = 4;

    // Expired entries looked at by one write beyond what it needs itself.
    private const int ExpiryBudgetPerWrite = 16;

    // Bytes of victim walked per byte written, and at least; doubled for each segment short of the low-water mark.
    private const int WalkPerByte = 3;
    private const int WalkAtLeastBytes = 512;

    // Entries walked by one write at most, unless nothing is left to write to.
    private const int WalkAtMostEntries = 128;

    private int _victim;
    private int _victimAt;
    private bool _victimIsCompacted;

    // Of the victims since the pressure was last set, which takes a usual segment's worth of them.
    private long _walkedBytes;
    private long _keptBytes;

    // Raised while victims yield nothing because everything in them was hit: the number of hits that no longer save an entry.
    private int _pressure;

    /// <summary>Reclaims what has expired, keeps the low-water mark and merges what is sparse, without a write asking for it.</summary>
    public void Maintain(int expiryBudget)
    {
        lock (_lock)
        {
            if (_closed)
            {
                return;
            }

            ReclaimExpired(_parts.Clock.NowMs, expiryBudget);
            ShrinkIndex();
            FreeRetiredTables();
            _heap.Reclaim(advance: _heap.Retired > 0);
            KeepToLimit();
            bool low = AvailableSegments() < LowWater;
            if (low || HoldsMuchFlushed() || HoldsMuchDead)
            {
                WalkVictim(_heap.SegmentBytes, int.MaxValue, evict: low);
                KeepToLimit();
            }

            _heap.ReleaseUnused();
        }
    }

    /// <summary>Makes sure that an entry of this size can be appended to either queue. It may move and evict entries and rebuild the index.</summary>
    private void Prepare(int size, long nowMs)
    {
        ObjectDisposedException.ThrowIf(_closed, typeof(CacheStore));
        ReclaimExpired(nowMs, ExpiryBudgetPerWrite);
        EnsureIndexRoom();
        KeepToLimit();
        if (size > _heap.MaxSharedEntryBytes)
        {
            MakeRoomForSingle(SegmentHeap.PagesOf(size));
        }

        int spare = AvailableSegments() - (int)(_reservedForIndex / _heap.SegmentBytes);
        bool low = spare < LowWater + (_reservedForIndex > 0 ? 1 : 0);
        if (low || _victim != 0 || MayNeedCompaction())
        {
            int missing = Math.Clamp(LowWater - spare - _heap.Retired, 0, 4);
            WalkVictim(((size * WalkPerByte) + WalkAtLeastBytes) << missing, WalkAtMostEntries, evict: low);
        }

        // Two: one for the entry itself, one for what a walk keeps.
        for (int attempt = 0; AvailableSegments() < 2; attempt++)
        {
            if (!FreeSomething(attempt))
            {
                break;
            }
        }

        KeepToLimit();
    }

    /// <summary>Gives pooled memory back where it passes the limit, or, of small segments, where it could be segments of the usual size.</summary>
    private void KeepToLimit()
    {
        while ((HeldBytes > _maxBytes && _heap.HasPooled) || (_heap.HasSmallPooled && AvailableSegments() < LowWater))
        {
            _heap.ReleasePooled();
        }
    }

    private void MakeRoomForSingle(int bytes)
    {
        for (int attempt = 0; HeldBytes + bytes > _maxBytes - (2 * _heap.SegmentBytes) || _heap.NumbersLeft < 3; attempt++)
        {
            if (_heap.HasPooled)
            {
                _heap.ReleasePooled();
            }
            else if (!FreeSomething(attempt))
            {
                return;
            }
        }
    }

    /// <summary>Takes back a retired segment, or walks the rest of a victim, or waits for a reader to leave.</summary>
    /// <returns>False where nothing can be freed: a reader stays inside, and the limit is passed rather than the write refused.</returns>
    private bool FreeSomething(int attempt)
    {
        const int MaxAttempts = 10_000;
        int retired = _heap.Retired;
        _heap.Reclaim(advance: true);
        FreeRetiredTables();
        KeepToLimit();
        if (_heap.Retired < retired || WalkVictim(int.MaxValue, int.MaxValue, evict: true))
        {
            return attempt < MaxAttempts;
        }

        if (attempt >= 100)
        {
            return false;
        }

        Thread.Sleep(attempt < 10 ? 0 : 1);
        return true;
    }

    private long HeldBytes => _heap.HeldBytes + _tableBytes;

    private long LiveBytes => _queues[0].LiveBytes + _queues[1].LiveBytes + _queues[2].LiveBytes;

    /// <summary>Segments that may be opened before the limit is reached.</summary>
    private int AvailableSegments()
    {
        long free = _maxBytes - HeldBytes - ReservedForGhosts;
        long allocatable = free >= 0 ? free / _heap.SegmentBytes : -((-free + _heap.SegmentBytes - 1) / _heap.SegmentBytes);
        return (int)Math.Min(allocatable, _heap.NumbersLeft) + _heap.Pooled;
    }

    private void ReclaimExpired(long nowMs, int budget)
    {
        while (_wheel.TakeExpired(nowMs, ref budget) is var address && address != 0)
        {
            EntryHeader* entry = _heap.EntryAt(address);
            RemoveUnhung(entry, address, RemovalReason.Expired);
        }
    }

    /// <summary>Walks on through the victim, or picks one.</summary>
    /// <returns>Whether there was something to walk.</returns>
    private bool WalkVictim(int bytes, int entries, bool evict)
    {
        if (_victim == 0 && !PickVictim(evict))
        {
            return false;
        }

        int number = _victim;
        long nowMs = _parts.Clock.NowMs;
        while (bytes > 0 && entries-- > 0 && _victimAt < _heap[number].UsedBytes)
        {
            EntryHeader* entry = _heap.EntryIn(number, _victimAt);
            int size = entry->SizeBytes;
            if (!entry->Dead)
            {
                EntryHeader.Lock(entry);
                try
                {
                    Decide(entry, _heap.AddressOf(number, _victimAt), nowMs);
                }
                finally
                {
                    EntryHeader.Unlock(entry);
                }
            }

            _victimAt += size;
            bytes -= size;
        }

        if (_victimAt >= _heap[number].UsedBytes)
        {
            EndVictim(number);
        }

        return true;
    }

    private void EndVictim(int number)
    {
        Invariant.Holds(_heap[number].LiveBytes == 0, "a walked segment holds nothing live");
        _victim = 0;
        _walkedBytes += _victimIsCompacted ? 0 : _heap[number].CapacityBytes;
        if (_walkedBytes >= _heap.SegmentBytes)
        {
            _pressure = Math.Clamp(_keptBytes > _walkedBytes / 8 * 7 ? _pressure + 1 : _pressure - 1, 0, EntryHeader.MaxFrequency);
            _walkedBytes = _keptBytes = 0;
        }

        _heap.Retire(number);
        _heap.Reclaim(advance: _heap.Retired > 1);
    }

    /// <summary>Moves or removes an entry of the victim, whose lock is held.</summary>
    private void Decide(EntryHeader* entry, uint address, long nowMs)
    {
        Space space = _parts.Spaces[entry->SpaceId];
        uint hash = space.Cache.HashOf(EntryHeader.Key(entry));
        ulong* slot = IndexTable.SlotOf(Index, IndexTable.Word(hash, address));
        if (space.Dead)
        {
            Remove(slot, entry, RemovalReason.Flushed);
        }
        else if (entry->ExpiresAtMs <= nowMs)
        {
            Remove(slot, entry, RemovalReason.Expired);
        }
        else if (Keeps(entry, out QueueKind queue, out byte frequency))
        {
            _keptBytes += _victimIsCompacted ? 0 : entry->SizeBytes;
            MoveTo(queue, slot, entry, address, frequency);
        }
        else
        {
            Remember(hash, _heap[_victim].Queue);
            Remove(slot, entry, RemovalReason.Memory);
        }
    }

    /// <summary>Whether an entry of the victim stays, in which queue, and what is left of its hits.</summary>
    private bool Keeps(EntryHeader* entry, out QueueKind queue, out byte frequency)
    {
        QueueKind from = _heap[_victim].Queue;
        int hits = entry->Frequency;
        if (_victimIsCompacted)
        {
            queue = from;
            frequency = (byte)hits;
        }
        else if (from == QueueKind.Main)
        {
            queue = QueueKind.Main;
            frequency = (byte)Math.Max(hits - 1, 0);
        }
        else
        {
            queue = QueueKind.Main;
            frequency = 0;
        }

        bool deserves = _victimIsCompacted || hits > _pressure + (from == QueueKind.Main ? 0 : PromotionHits - 1);
        return deserves && !_heap[_victim].Single && CanAppend(queue, entry->SizeBytes);
    }

    private bool CanAppend(QueueKind queue, int size)
    {
        int open = _open[(int)queue];
        return (open != 0 && _heap[open].UsedBytes + size <= _heap[open].CapacityBytes) || AvailableSegments() > 0;
    }

    /// <summary>Removes an entry, whose lock is held, that hangs in the wheel no more.</summary>
    private void RemoveUnhung(EntryHeader* entry, uint address, RemovalReason reason)
    {
        Space space = _parts.Spaces[entry->SpaceId];
        uint hash = space.Cache.HashOf(EntryHeader.Key(entry));
        ulong* slot = IndexTable.SlotOf(Index, IndexTable.Word(hash, address));
        Count(space.Cache, space.Dead ? RemovalReason.Flushed : reason);
        IndexTable.Remove(Index, slot);
        _entries--;
        Account(entry, -1);
        Bury(entry, address);
    }
}
