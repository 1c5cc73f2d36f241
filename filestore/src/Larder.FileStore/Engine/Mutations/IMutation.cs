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

    /// <summary>Whether nothing is left afterwards.</summary>
    bool ClearsAll => false;

    /// <summary>The entries it writes; more than one are seen all or none.</summary>
    int Count => 1;
}
