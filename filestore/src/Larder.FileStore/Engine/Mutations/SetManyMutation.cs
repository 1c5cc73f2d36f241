namespace Larder.FileStore.Engine;

/// <summary>Sets many entries with one line; optionally clears the cache first.</summary>
internal struct SetManyMutation(IReadOnlyList<KeyValuePair<string, object>> items, Expiry expiry, bool clear) : IMutation
{
    private Entry[] _entries = [];
    private HashSet<string>? _keys;

    public void Encode(RecordBuffer buffer, CacheClock clock)
    {
        _entries = new Entry[items.Count];
        if (items.Count == 0)
        {
            buffer.BeginLine();
            buffer.Clear();
            buffer.EndLine();
            return;
        }
        buffer.BeginBatch(clear);
        for (int i = 0; i < _entries.Length; i++)
        {
            Operation set = expiry.ToSet(items[i].Key, items[i].Value);
            buffer.BeginItem();
            set.RecordBytes = buffer.Set(set.Key, items[i].Value, set.ExpiresMs, set.SlidingMs, set.CapMs);
            buffer.EndItem();
            _entries[i] = EntrySet.Make(clock, set);
        }
        buffer.EndBatch();
    }

    public readonly bool ClearsAll => clear && items.Count == 0;

    public readonly int Count => items.Count;

    public readonly bool Decide(EntrySet current) => clear || _entries.Length > 0;

    public readonly void Measure(EntrySet current, out long bytes, out int count)
    {
        bytes = clear ? 0 : current.LiveBytes;
        count = clear ? 0 : current.Count;
        foreach (Entry entry in _entries)
        {
            Entry? before = clear ? null : current.Find(entry.Key);
            bytes += entry.RecordBytes - (before?.RecordBytes ?? 0);
            count += before is null ? 1 : 0;
        }
    }

    public bool Writes(string key) => (_keys ??= [.. _entries.Select(e => e.Key)]).Contains(key);

    public readonly void Apply(EntrySet set)
    {
        if (clear)
        {
            set.Clear();
        }
        foreach (Entry entry in _entries)
        {
            set.Put(entry);
        }
    }
}
