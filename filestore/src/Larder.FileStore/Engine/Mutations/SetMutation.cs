namespace Larder.FileStore.Engine;

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
