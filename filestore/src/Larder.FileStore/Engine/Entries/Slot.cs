namespace Larder.FileStore.Engine;

/// <summary>
/// A slot of the table. It contains the key and the hash in addition to the entry, so that a read compares the key without first loading the entry from memory,
/// and skips other keys without touching their entries. With random keys, memory latency dominates the cost of a read.
/// </summary>
internal struct Slot
{
    /// <summary>Null if the slot was never used. Written last and read first.</summary>
    internal Entry? Entry;
    internal string Key;
    internal int Hash;

    public static implicit operator Entry?(in Slot slot) => slot.Entry;

    /// <summary>Stores an entry in an unused slot, or replaces the entry of the same key.</summary>
    internal void Put(Entry entry)
    {
        Key = entry.Key;
        Hash = entry.Hash;
        Volatile.Write(ref Entry, entry);
    }
}
