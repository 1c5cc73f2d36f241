namespace Larder.Store;

/// <summary>
/// One part of the store: its own lock, index, expiry wheel, eviction queue and share of the memory. A key always belongs to the
/// same shard, so what is atomic per key is what happens under this lock.
/// </summary>
internal sealed partial class Shard(int index, long maxBytes, MonotonicClock clock)
{
    private readonly Lock _lock = new();
    private readonly HashSet<Entry> _entries = new(EntryComparer.Instance);
    private readonly ExpiryWheel _wheel = new();
    private readonly long _maxBytes = maxBytes;
    private long _usedBytes;

    /// <summary>Bytes charged for the entries held.</summary>
    public long UsedBytes
    {
        get
        {
            lock (_lock)
            {
                return _usedBytes;
            }
        }
    }

    public bool TryGet<TSink>(in Probe probe, ref TSink sink)
        where TSink : struct, IValueSink, allows ref struct
    {
        lock (_lock)
        {
            ref ShardCounters counters = ref probe.Space.Counters(index);
            if (Find(probe, clock.NowMs) is not { } entry)
            {
                counters.Misses++;
                return false;
            }

            counters.Hits++;
            entry.Visited = true;
            sink.Accept(entry.Value);
            return true;
        }
    }

    public bool Contains(in Probe probe)
    {
        lock (_lock)
        {
            return Find(probe, clock.NowMs) is not null;
        }
    }

    public bool SetIf(in Probe probe, ReadOnlySpan<byte> value, long ttlMs, in SetCondition condition)
    {
        lock (_lock)
        {
            long nowMs = clock.NowMs;
            Entry? entry = Find(probe, nowMs);
            if (!condition.Allows(entry is not null, entry is null ? default : entry.Value))
            {
                return false;
            }

            Write(probe, entry, value, nowMs + ttlMs, nowMs);
            return true;
        }
    }

    public bool Delete(in Probe probe)
    {
        lock (_lock)
        {
            if (Find(probe, clock.NowMs) is not { } entry)
            {
                return false;
            }

            Remove(entry);
            return true;
        }
    }

    public IncrementOutcome Increment(in Probe probe, long amount, long ttlMs, out long value)
    {
        lock (_lock)
        {
            long nowMs = clock.NowMs;
            Entry? entry = Find(probe, nowMs);
            value = 0;
            if (entry is not null && !IntegerText.TryParse(entry.Value, out value))
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
            Write(probe, entry, text[..IntegerText.Format(sum, text)], nowMs + ttlMs, nowMs);
            return IncrementOutcome.Ok;
        }
    }

    public TtlUpdateOutcome UpdateTtl(in Probe probe, TtlUpdate kind, long ttlMs)
    {
        lock (_lock)
        {
            long nowMs = clock.NowMs;
            if (Find(probe, nowMs) is not { } entry)
            {
                return TtlUpdateOutcome.Missing;
            }

            long expiresAtMs = nowMs + ttlMs;
            if (!TtlUpdateRule.Applies(kind, expiresAtMs, entry.ExpiresAtMs))
            {
                return TtlUpdateOutcome.NotSet;
            }

            _wheel.Remove(entry);
            entry.ExpiresAtMs = expiresAtMs;
            _wheel.Add(entry);
            return TtlUpdateOutcome.Set;
        }
    }

    public bool TryGetExpiry(in Probe probe, out long expiresAtMs)
    {
        lock (_lock)
        {
            Entry? entry = Find(probe, clock.NowMs);
            expiresAtMs = entry?.ExpiresAtMs ?? 0;
            return entry is not null;
        }
    }

    private Entry? Find(in Probe probe, long nowMs)
    {
        if (probe.Space.Dead || !_entries.GetAlternateLookup<Probe>().TryGetValue(probe, out Entry? entry))
        {
            return null;
        }

        if (entry.ExpiresAtMs > nowMs)
        {
            return entry;
        }

        probe.Space.Counters(index).Expired++;
        Remove(entry);
        return null;
    }
}
