using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>Sets several entries by writing one line to the file. Each entry has its own expiration.</summary>
internal struct ImportMutation(List<Operation> sets) : IMutation
{
    private readonly List<Entry> _entries = [];

    public readonly void Encode(RecordBuffer buffer, CacheClock clock)
    {
        _entries.Clear();
        buffer.BeginBatch(clear: false);
        foreach (Operation set in sets)
        {
            buffer.BeginItem();
            int bytes = buffer.Set(set.Key, set.Value!, set.ExpiresMs, set.SlidingMs, set.CapMs);
            buffer.EndItem();
            _entries.Add(EntrySet.Make(clock, set with { RecordBytes = bytes }));
        }
        buffer.EndBatch();
    }

    public readonly bool Decide(EntrySet current) => sets.Count > 0;

    public readonly void Measure(EntrySet current, out long bytes, out int count)
    {
        bytes = 0;
        count = 0;
    }

    public readonly bool Writes(string key) => false;

    public readonly void Apply(EntrySet set) => _entries.ForEach(set.Put);
}
