namespace Larder.FileStore.Engine;

/// <summary>Removes many entries with one line. <see cref="Removed"/> is the number of entries that existed.</summary>
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

    /// <summary>
    /// The count of removed entries. This is a reference type, so that the mutation shares the count with the copy that an asynchronous write makes.
    /// </summary>
    private sealed class StrongCount
    {
        internal int Value;
    }
}
