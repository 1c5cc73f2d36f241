namespace Larder.FileStore.Engine;

/// <summary>One change on its way into the file: encoded outside all locks, decided and applied under them.</summary>
internal interface IMutation
{
    /// <summary>Writes the lines; may be called again for a second attempt.</summary>
    void Encode(RecordBuffer buffer, CacheClock clock);

    /// <summary>Whether there is anything to write, given what the cache holds now.</summary>
    bool Decide(EntrySet current);

    /// <summary>What the cache will hold: bytes as lines of their own, and entries.</summary>
    void Measure(EntrySet current, out long bytes, out int count);

    /// <summary>Whether the change writes <paramref name="key"/>, which then may not be evicted to make room.</summary>
    bool Writes(string key);

    void Apply(EntrySet set);
}

internal struct SetMutation(string key, object value, Expiry expiry) : IMutation
{
    internal Entry Entry { get; private set; } = null!;

    public void Encode(RecordBuffer buffer, CacheClock clock)
    {
        buffer.BeginLine();
        Operation set = expiry.ToSet(key, value);
        set.RecordBytes = buffer.Set(key, value, set.ExpiresMs, set.SlidingMs, set.CapMs);
        buffer.EndLine();
        Entry = EntrySet.Make(clock, set);
    }

    public readonly bool Decide(EntrySet current) => true;

    public readonly void Measure(EntrySet current, out long bytes, out int count)
    {
        Entry? before = current.Find(key);
        bytes = current.LiveBytes + Entry.RecordBytes - (before?.RecordBytes ?? 0);
        count = current.Count + (before is null ? 1 : 0);
    }

    public readonly bool Writes(string other) => other == key;

    public readonly void Apply(EntrySet set) => set.Put(Entry);
}

/// <summary>Sets many entries as one line, after clearing all if asked to.</summary>
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

internal readonly struct RemoveMutation(string key) : IMutation
{
    public void Encode(RecordBuffer buffer, CacheClock clock)
    {
        buffer.BeginLine();
        buffer.Remove(key);
        buffer.EndLine();
    }

    public bool Decide(EntrySet current) => current.Find(key) is not null;

    public void Measure(EntrySet current, out long bytes, out int count)
    {
        bytes = 0;
        count = 0;
    }

    public bool Writes(string other) => other == key;

    public void Apply(EntrySet set) => set.Remove(key);
}

/// <summary>Sets or removes (a null value) one entry if it holds what is expected (null: nothing).</summary>
internal struct CompareAndSetMutation(string key, object? expected, object? value, Expiry expiry) : IMutation
{
    private SetMutation _set = value is null ? default : new SetMutation(key, value, expiry);
    private readonly RemoveMutation _remove = new(key);

    public void Encode(RecordBuffer buffer, CacheClock clock)
    {
        if (value is null)
        {
            _remove.Encode(buffer, clock);
        }
        else
        {
            _set.Encode(buffer, clock);
        }
    }

    public readonly bool Decide(EntrySet current) => Holds(current.Find(key)?.Value);

    public readonly void Measure(EntrySet current, out long bytes, out int count)
    {
        if (value is null)
        {
            _remove.Measure(current, out bytes, out count);
        }
        else
        {
            _set.Measure(current, out bytes, out count);
        }
    }

    public readonly bool Writes(string other) => other == key;

    public readonly void Apply(EntrySet set)
    {
        if (value is null)
        {
            _remove.Apply(set);
        }
        else
        {
            _set.Apply(set);
        }
    }

    private readonly bool Holds(object? actual) => (actual, expected) switch
    {
        (null, null) => true,
        (string a, string b) => a == b,
        (byte[] a, byte[] b) => a.AsSpan().SequenceEqual(b),
        (string a, byte[] b) => System.Text.Encoding.UTF8.GetBytes(a).AsSpan().SequenceEqual(b),
        _ => false,
    };
}

/// <summary>Writes where sliding entries were moved to by reads.</summary>
internal struct TouchMutation(IReadOnlyList<SlidingEntry> touched) : IMutation
{
    private long[] _deadlines = [];

    public void Encode(RecordBuffer buffer, CacheClock clock)
    {
        _deadlines = new long[touched.Count];
        buffer.BeginBatch(clear: false);
        for (int i = 0; i < touched.Count; i++)
        {
            _deadlines[i] = touched[i].Deadline;
            buffer.BeginItem();
            buffer.Touch(touched[i].Key, clock.UtcMsOf(_deadlines[i]));
            buffer.EndItem();
        }
        buffer.EndBatch();
    }

    public readonly bool Decide(EntrySet current) => touched.Any(current.Holds);

    public readonly void Measure(EntrySet current, out long bytes, out int count)
    {
        bytes = 0;
        count = 0;
    }

    public readonly bool Writes(string key) => false;

    public readonly void Apply(EntrySet set)
    {
        for (int i = 0; i < touched.Count; i++)
        {
            touched[i].Written(_deadlines[i]);
        }
    }
}
