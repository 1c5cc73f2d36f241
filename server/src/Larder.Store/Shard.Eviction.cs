namespace Larder.Store;

/// <summary>What is removed, and when: expired entries first, those of flushed caches as they are met, then by SIEVE.</summary>
internal sealed partial class Shard
{
    // Expired entries looked at by one write beyond what it needs itself: small, so that no write pays for a sweep.
    private const int ExpiryBudgetPerWrite = 16;

    private Entry? _newest;
    private Entry? _oldest;
    private Entry? _hand;

    /// <summary>Reclaims expired entries, at most <paramref name="budget"/> looked at.</summary>
    public void ReclaimExpired(int budget)
    {
        lock (_lock)
        {
            ReclaimExpired(clock.NowMs, budget);
        }
    }

    /// <summary>Throws if links, index and accounts disagree.</summary>
    public void AssertValid()
    {
        lock (_lock)
        {
            long bytes = 0;
            int queued = 0;
            bool handFound = _hand is null;
            Entry? older = null;
            for (Entry? entry = _oldest; entry is not null; older = entry, entry = entry.QueueNewer)
            {
                Invariant.Holds(ReferenceEquals(entry.QueueOlder, older), "the queue's links agree");
                Invariant.Holds(_entries.Contains(entry), "a queued entry is in the index");
                handFound |= ReferenceEquals(_hand, entry);
                bytes += entry.ChargeBytes;
                queued++;
            }

            Invariant.Holds(ReferenceEquals(_newest, older), "the newest entry ends the queue");
            Invariant.Holds(handFound, "the hand is in the queue");
            Invariant.Holds(queued == _entries.Count, "every entry is queued");
            Invariant.Holds(_wheel.AssertValid() == queued, "every entry hangs in the wheel");
            Invariant.Holds(bytes == _usedBytes, "the accounts match the entries");
            Invariant.Holds(_usedBytes <= _maxBytes, "the memory limit holds");
        }
    }

    private void ReclaimExpired(long nowMs, int budget)
    {
        while (_wheel.TakeExpired(nowMs, ref budget) is { } entry)
        {
            entry.Space.Counters(index).Expired++;
            Unlink(entry);
        }
    }

    private void Write(in Probe probe, Entry? old, ReadOnlySpan<byte> value, long expiresAtMs, long nowMs)
    {
        if (probe.Space.Dead)
        {
            return;
        }

        bool visited = old is not null;
        if (old is not null)
        {
            Remove(old);
        }

        byte[] data = GC.AllocateUninitializedArray<byte>(probe.Key.Length + value.Length);
        probe.Key.CopyTo(data);
        value.CopyTo(data.AsSpan(probe.Key.Length));
        var entry = new Entry(probe.Hash, probe.Space, data, probe.Key.Length, expiresAtMs) { Visited = visited };
        ReclaimExpired(nowMs, ExpiryBudgetPerWrite);
        MakeRoom(entry.ChargeBytes, nowMs);
        Insert(entry);
    }

    private void MakeRoom(long bytes, long nowMs)
    {
        if (_usedBytes + bytes <= _maxBytes)
        {
            return;
        }

        ReclaimExpired(nowMs, int.MaxValue);
        while (_usedBytes + bytes > _maxBytes && _oldest is not null)
        {
            EvictOne();
        }
    }

    private void EvictOne()
    {
        Entry victim = _hand ?? _oldest!;
        while (victim.Visited && !victim.Space.Dead)
        {
            victim.Visited = false;
            victim = victim.QueueNewer ?? _oldest!;
        }

        _hand = victim.QueueNewer;
        ref ShardCounters counters = ref victim.Space.Counters(index);
        if (victim.Space.Dead)
        {
            counters.Flushed++;
        }
        else
        {
            counters.EvictedForMemory++;
        }

        Remove(victim);
    }

    private void Insert(Entry entry)
    {
        _entries.Add(entry);
        _wheel.Add(entry);
        entry.QueueOlder = _newest;
        if (_newest is not null)
        {
            _newest.QueueNewer = entry;
        }

        _newest = entry;
        _oldest ??= entry;
        _usedBytes += entry.ChargeBytes;
        ref SpaceUsage usage = ref entry.Space.Usage[index];
        usage.Entries++;
        usage.Bytes += entry.Data.Length;
        entry.Space.Counters(index).Sets++;
    }

    private void Remove(Entry entry)
    {
        _wheel.Remove(entry);
        Unlink(entry);
    }

    private void Unlink(Entry entry)
    {
        _entries.Remove(entry);
        if (ReferenceEquals(_hand, entry))
        {
            _hand = entry.QueueNewer;
        }

        if (entry.QueueOlder is { } older)
        {
            older.QueueNewer = entry.QueueNewer;
        }
        else
        {
            _oldest = entry.QueueNewer;
        }

        if (entry.QueueNewer is { } newer)
        {
            newer.QueueOlder = entry.QueueOlder;
        }
        else
        {
            _newest = entry.QueueOlder;
        }

        _usedBytes -= entry.ChargeBytes;
        ref SpaceUsage usage = ref entry.Space.Usage[index];
        usage.Entries--;
        usage.Bytes -= entry.Data.Length;
    }
}
