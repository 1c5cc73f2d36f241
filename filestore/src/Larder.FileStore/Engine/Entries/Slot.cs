namespace Larder.FileStore.Engine;

/// <summary>
/// A slot of the table. It contains the key and the hash in addition to the entry, so that a read compares the key without first loading the entry from memory,
/// and skips other keys without loading their entries. With random keys, memory latency dominates the cost of a read.
/// </summary>
internal struct Slot
{
    /// <summary>
    /// The entry; null if the slot was never used. Writers write this field last and readers read it first, so a reader that sees an entry also sees its key
    /// and hash.
    /// </summary>
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
