namespace Larder.FileStore.Engine;

/// <summary>Removes many entries as one line. <see cref="Removed"/> of them were there.</summary>
internal struct RemoveManyMutation(IReadOnlyCollection<string> keys) : IMutation
{
    private readonly StrongCount _removed = new();

    internal readonly int Removed => _removed.Value;

    public readonly void Encode(RecordBuffer buffer, CacheClock clock)
    {
        buffer.BeginBatch(clear: false);
        foreach (string key in keys)
        {
            buffer.BeginItem();
            buffer.Remove(key);
            buffer.EndItem();
        }
        buffer.EndBatch();
    }

    public readonly bool Decide(EntrySet current)
    {
        _removed.Value = keys.Count(key => current.Find(key) is not null);
        return _removed.Value > 0;
    }

    public readonly void Measure(EntrySet current, out long bytes, out int count)
    {
        bytes = 0;
        count = 0;
    }

    public readonly bool Writes(string key) => keys.Contains(key);

    public readonly void Apply(EntrySet set)
    {
        foreach (string key in keys)
        {
            set.Remove(key);
        }
    }

    /// <summary>Survives that an asynchronous write copies the change.</summary>
    private sealed class StrongCount
    {
        internal int Value;
    }
}
