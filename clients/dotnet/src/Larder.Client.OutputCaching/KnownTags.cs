using System.Collections.Concurrent;

namespace Larder.Client;

/// <summary>
/// Remembers, for the key of each page, which tags the page had when it was last read or written. A page and the generations of its tags can then be read in
/// one batch. The remembered tags may be out of date, so the reader compares them with the tags in the page itself.
/// </summary>
internal sealed class KnownTags
{
    /// <summary>The maximum number of stored keys. With their tags, this many keys take about 2 MB. If there are more keys, all are removed.</summary>
    public const int Most = 10_000;

    private readonly ConcurrentDictionary<string, string[]> _byKey = new(StringComparer.Ordinal);
    private int _count;

    /// <summary>Returns the last known tags of a page, or an empty array if no tags are known.</summary>
    public string[] Of(string key) => _byKey.TryGetValue(key, out string[]? tags) ? tags : [];

    /// <summary>Stores a page's tags, or removes the stored tags if the page no longer has any.</summary>
    public void Note(string key, string[] tags)
    {
        if (tags.Length == 0)
        {
            if (_byKey.TryRemove(key, out _))
            {
                Interlocked.Decrement(ref _count);
            }

            return;
        }

        if (!_byKey.TryAdd(key, tags))
        {
            _byKey[key] = tags;
        }
        else if (Interlocked.Increment(ref _count) > Most)
        {
            _byKey.Clear();
            Interlocked.Exchange(ref _count, 0);
        }
    }

    internal int Count => _byKey.Count;
}
