namespace Larder.FileStore.Engine;

/// <summary>One key's value in memory; immutable but for the cached task. With a null value it is the mark of a removed key.</summary>
internal class Entry(string key, object? value, int hash)
{
    /// <summary>The expiry tick of an entry that never expires.</summary>
    internal const long Never = long.MaxValue;

    internal readonly string Key = key;

    /// <summary>A string, an array of bytes that is never changed, or null for a removed key.</summary>
    internal readonly object? Value = value;

    /// <summary>The completed task that GetAsync hands out again and again, made at the first call.</summary>
    internal Task<string?>? Completed;

    /// <summary>
    /// The clock's tick (ms) at which the entry ends; <see cref="Never"/>, or, where sliding, <see cref="long.MinValue"/> so that each read takes the slow
    /// path.
    /// </summary>
    internal long ExpiryTick = Never;

    /// <summary>Absolute expiry as written in the file, Unix ms UTC; 0 is none.</summary>
    internal long ExpiresMs;

    internal readonly int Hash = hash;

    /// <summary>Bytes this entry takes in the file as a line of its own.</summary>
    internal int RecordBytes;

    /// <summary>The entry's place in the order in which keys were added; a key that is set again keeps it.</summary>
    internal long Sequence;

    internal static Entry Removed(Entry entry) => new(entry.Key, null, entry.Hash);

    /// <summary>The tick (ms) at which the entry ends, for sliding entries as last moved.</summary>
    internal virtual long Deadline => ExpiryTick;
}
