namespace Larder.FileStore.Engine;

/// <summary>
/// A change to be written to the file. The engine encodes the change outside all locks. Under the locks, it decides whether to write the change, and applies
/// the change.
/// </summary>
internal interface IMutation
{
    /// <summary>Encodes the lines. May be called again for a retry.</summary>
    void Encode(RecordBuffer buffer, CacheClock clock);

    /// <summary>Returns whether there is anything to write, given the current entries.</summary>
    bool Decide(EntrySet current);

    /// <summary>Computes the size of the cache after the change: the bytes of all entries as separate lines, and the number of entries.</summary>
    void Measure(EntrySet current, out long bytes, out int count);

    /// <summary>Returns whether the change writes <paramref name="key"/>. Such a key must not be evicted to make room for the change.</summary>
    bool Writes(string key);

    void Apply(EntrySet set);

    /// <summary>Gets whether the cache is empty after the change.</summary>
    bool ClearsAll => false;

    /// <summary>Gets the number of entries that the change writes. Readers see either all of them or none.</summary>
    int Count => 1;
}
