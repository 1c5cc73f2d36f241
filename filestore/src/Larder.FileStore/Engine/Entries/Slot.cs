namespace Larder.FileStore.Engine;

/// <summary>
/// A place of the table. Key and hash are in it beside the entry, so that a read compares the key without waiting for the entry's memory, and passes
/// other keys by without touching theirs: with random keys a read is memory that is waited for.
/// </summary>
internal struct Slot
{
    /// <summary>Null where the slot was never used. Written last and read first.</summary>
    internal Entry? Entry;
    internal string Key;
    internal int Hash;

    public static implicit operator Entry?(in Slot slot) => slot.Entry;

    /// <summary>Puts an entry, or another of the same key.</summary>
    internal void Put(Entry entry)
    {
        Key = entry.Key;
        Hash = entry.Hash;
        Volatile.Write(ref Entry, entry);
    }
}
