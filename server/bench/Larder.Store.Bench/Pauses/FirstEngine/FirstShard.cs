namespace Larder.Store.Bench.FirstEngine;

/// <summary>
/// A shard of the store's first engine, kept for comparison: one object and one array per entry, a lock for both gets and sets, and SIEVE eviction.
/// </summary>
internal sealed class FirstShard(long maxBytes, MonotonicClock clock)
{
    private readonly Lock _lock = new();
    private readonly HashSet<FirstEntry> _entries = new(FirstEntryComparer.Instance);
    private readonly FirstExpiryWheel _wheel = new();
    private FirstEntry? _newest;
    private FirstEntry? _oldest;
    private FirstEntry? _hand;
    private long _usedBytes;

    public bool TryGet(in FirstProbe probe, byte[] destination)
    {
        lock (_lock)
        {
            if (!_entries.GetAlternateLookup<FirstProbe>().TryGetValue(probe, out FirstEntry? entry) || entry.ExpiresAtMs <= clock.NowMs)
            {
                return false;
            }

            entry.Visited = true;
            entry.Value.CopyTo(destination);
            return true;
        }
    }

    public void Set(in FirstProbe probe, ReadOnlySpan<byte> value, long ttlMs)
    {
        lock (_lock)
        {
            if (_entries.GetAlternateLookup<FirstProbe>().TryGetValue(probe, out FirstEntry? old))
            {
                Remove(old);
            }

            byte[] data = GC.AllocateUninitializedArray<byte>(probe.Key.Length + value.Length);
            probe.Key.CopyTo(data);
            value.CopyTo(data.AsSpan(probe.Key.Length));
            var entry = new FirstEntry(probe.Hash, data, probe.Key.Length, clock.NowMs + ttlMs);
            while (_usedBytes + entry.ChargeBytes > maxBytes && _oldest is not null)
            {
                EvictOne();
            }

            Insert(entry);
        }
    }

    private void EvictOne()
    {
        FirstEntry victim = _hand ?? _oldest!;
        while (victim.Visited)
        {
            victim.Visited = false;
            victim = victim.QueueNewer ?? _oldest!;
        }

        _hand = victim.QueueNewer;
        Remove(victim);
    }

    private void Insert(FirstEntry entry)
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
    }

    private void Remove(FirstEntry entry)
    {
        _wheel.Remove(entry);
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
    }
}
