namespace Larder.FileStore.Engine;

/// <summary>Writes the new deadlines of sliding entries that were read.</summary>
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

    /// <summary>
    /// Returns whether all entries are current. If an entry was set again after the read, the new deadlines must not be written, because they would extend the
    /// lifetime of the new entry.
    /// </summary>
    public readonly bool Decide(EntrySet current) => touched.All(current.Holds);

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
