namespace Larder.FileStore.Engine;

/// <summary>The in-memory entry of one key. Key, value and hash never change. A null value marks a removed key.</summary>
internal class Entry(string key, object? value, int hash)
{
    /// <summary>The expiry tick of an entry that never expires.</summary>
    internal const long Never = long.MaxValue;

    internal readonly string Key = key;

    /// <summary>A string, a byte array that must not be changed, or null for a removed key.</summary>
    internal readonly object? Value = value;

    /// <summary>The completed task that every GetAsync call for this entry returns; created by the first call.</summary>
    internal Task<string?>? Completed;

    /// <summary>
    /// The clock tick (ms) at which the entry expires, or <see cref="Never"/>. For sliding entries it is <see cref="long.MinValue"/>, so that each read checks
    /// the current deadline.
    /// </summary>
    internal long ExpiryTick = Never;

    /// <summary>The absolute expiration as written in the file, in Unix ms UTC; 0 for none.</summary>
    internal long ExpiresMs;

    internal readonly int Hash = hash;

    /// <summary>The size of this entry in bytes if it is written as a separate line of the file.</summary>
    internal int RecordBytes;

    /// <summary>The entry's position in insertion order. Setting an existing key again keeps this position.</summary>
    internal long Sequence;

    internal static Entry Removed(Entry entry) => new(entry.Key, null, entry.Hash);

    /// <summary>Gets the tick (ms) at which the entry expires; for sliding entries, the current deadline.</summary>
    internal virtual long Deadline => ExpiryTick;
}
