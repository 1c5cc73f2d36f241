using System.Collections.Concurrent;

namespace Larder.Client;

/// <summary>
/// The values that only this process has, because a call has disabled the server for them. Their total size in bytes is limited: the oldest values are evicted.
/// </summary>
internal sealed class LocalEntries(long maxBytes, TimeProvider time)
{
    // The size of an entry in addition to its serialized value, its key and its tags.
    private const int OverheadBytes = 128;

    // The size of a tag in addition to its characters: the header of the string and the reference to it.
    private const int TagOverheadBytes = 32;

    private readonly Lock _lock = new();
    private readonly ConcurrentDictionary<string, Entry> _entries = new(StringComparer.Ordinal);
    private readonly LinkedList<Entry> _byAge = new();
    private long _bytes;

    /// <summary>Gets the total size in bytes.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>Returns the value of a key, or null if there is none.</summary>
    public object? Find(ReadOnlySpan<char> key) =>
        !_entries.IsEmpty && _entries.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(key, out Entry? entry)
            && time.GetElapsedTime(entry.StoredAt) < entry.Life
            ? entry.Value
            : null;

    /// <summary>Stores a value and replaces an existing one. Does not store a value that exceeds the limit alone.</summary>
    public void Put(string key, object value, int valueBytes, TimeSpan life, string[] tags)
    {
        long bytes = valueBytes + (2L * key.Length) + OverheadBytes + tags.Sum(static tag => (2L * tag.Length) + TagOverheadBytes);
        lock (_lock)
        {
            Drop(key);
            if (bytes > maxBytes)
            {
                return;
            }

            while (_bytes + bytes > maxBytes)
            {
                Drop(_byAge.First!.Value.Key);
            }

            Entry entry = new(key, value, bytes, time.GetTimestamp(), life, tags);
            entry.Place = _byAge.AddLast(entry);
            _entries[key] = entry;
            _bytes += bytes;
        }
    }

    public void Remove(string key)
    {
        if (!_entries.IsEmpty)
        {
            lock (_lock)
            {
                Drop(key);
            }
        }
    }

    /// <summary>Removes all values with a tag, or all values if the tag is <see cref="EntryTags.All"/>.</summary>
    public void RemoveByTag(string tag)
    {
        if (_entries.IsEmpty)
        {
            return;
        }

        lock (_lock)
        {
            foreach (Entry entry in _byAge.Where(entry => tag == EntryTags.All || Array.IndexOf(entry.Tags, tag) >= 0).ToArray())
            {
                Drop(entry.Key);
            }
        }
    }

    private void Drop(string key)
    {
        if (_entries.TryRemove(key, out Entry? entry))
        {
            _byAge.Remove(entry.Place!);
            _bytes -= entry.Bytes;
        }
    }

    private sealed class Entry(string key, object value, long bytes, long storedAt, TimeSpan life, string[] tags)
    {
        public string Key => key;

        public object Value => value;

        public long Bytes => bytes;

        public long StoredAt => storedAt;

        public TimeSpan Life => life;

        public string[] Tags => tags;

        public LinkedListNode<Entry>? Place { get; set; }
    }
}
