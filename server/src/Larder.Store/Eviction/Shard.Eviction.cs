namespace Larder.Store;

/// <summary>
/// Empties segments, one at a time. The segment that is being emptied is called the victim. Compaction copies all live entries of the victim to other segments.
/// Eviction follows S3-FIFO: the queues are chains of segments, and the victim is the oldest segment of a queue. Entries that were hit often enough are copied
/// to the newest segment of the main queue, and the others are removed. Then the segment is free.
/// </summary>
internal sealed unsafe partial class Shard
{
    private int _victim;
    private int _victimAt;
    private bool _victimIsCompacted;

    // The number of bytes in emptied victims, and the number of bytes of the entries that were kept, since the pressure was last adjusted. The pressure is
    // adjusted when the emptied victims have at least the size of a regular segment. Compacted segments are not counted.
    private long _walkedBytes;
    private long _keptBytes;

    // Entries with this number of hits or fewer are not protected from eviction. The number increases while victims free little memory because most of their
    // entries were hit.
    private int _pressure;

    /// <summary>Removes expired entries. Visits at most <paramref name="budget"/> entries.</summary>
    /// <returns>True if the budget was used up.</returns>
    private bool ReclaimExpired(long nowMs, int budget)
    {
        int before = budget;
        while (_wheel.TakeExpired(nowMs, ref budget) is var address && address != 0)
        {
            EntryHeader* entry = _heap.EntryAt(address);
            RemoveWithoutWheel(entry, address, RemovalReason.Expired);
        }

        _work += before - budget;
        return budget < 0;
    }

    /// <summary>Walks through the current victim. If there is no victim, selects one.</summary>
    /// <returns>True if there was a victim to walk.</returns>
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
            _work++;
            EntryHeader* entry = _heap.EntryIn(number, _victimAt);
            int size = EntryHeader.SizeOf(entry);
            if (!entry->Dead)
            {
                EntryHeader.Lock(entry);
                bool decided;
                try
                {
                    decided = Decide(entry, _heap.AddressOf(number, _victimAt), nowMs, evict);
                }
                finally
                {
                    EntryHeader.Unlock(entry);
                }

                if (!decided)
                {
                    return false;
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

        Retire(number);
        _heap.Reclaim(advance: _heap.Retired > 1);
    }

    /// <summary>Moves or removes an entry of the victim. The caller holds the entry's lock.</summary>
    /// <returns>False, and nothing is changed, if <paramref name="evict"/> is false and there is no space for a copy of the entry.</returns>
    private bool Decide(EntryHeader* entry, uint address, long nowMs, bool evict)
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
        else if (space.Cache.HasRemoved(entry))
        {
            Remove(slot, entry, RemovalReason.Deleted);
        }
        else if (Keeps(entry, out QueueKind queue, out byte frequency))
        {
            _keptBytes += _victimIsCompacted ? 0 : EntryHeader.SizeOf(entry);
            MoveTo(queue, slot, entry, address, frequency);
        }
        else if (_victimIsCompacted && !evict)
        {
            return false;
        }
        else
        {
            Remember(hash, _heap[_victim].Queue);
            Remove(slot, entry, RemovalReason.Memory);
        }

        return true;
    }

    /// <summary>Returns whether an entry of the victim is kept, the queue that it moves to, and its new number of hits.</summary>
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
        return deserves && !_heap[_victim].Single && CanAppend(queue, EntryHeader.SizeOf(entry));
    }

    // Returns whether an entry can be appended to a queue. Freed memory counts as available even if readers may still access it, up to the reserve.
    private bool CanAppend(QueueKind queue, int size) =>
        HasRoomInOpen(queue, size)
        || ((AvailableSegments() > 0 || (SegmentsComing() > 0 && HeldBytes + _heap.SegmentBytes <= _maxBytes + ReserveBytes)) && TryOpen(queue, size));

    /// <summary>Removes an entry that is no longer in the expiry wheel. The caller holds the entry's lock.</summary>
    private void RemoveWithoutWheel(EntryHeader* entry, uint address, RemovalReason reason)
    {
        Space space = _parts.Spaces[entry->SpaceId];
        uint hash = space.Cache.HashOf(EntryHeader.Key(entry));
        ulong* slot = IndexTable.SlotOf(Index, IndexTable.Word(hash, address));
        Count(space, entry, reason);
        RemoveWord(slot);
        Leave(entry, default);
        MarkDead(entry, address);
    }
}
