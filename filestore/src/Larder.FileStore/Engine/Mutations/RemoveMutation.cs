namespace Larder.FileStore.Engine;

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
