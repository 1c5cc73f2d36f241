using System.Collections.Concurrent;

namespace Larder.Client;

/// <summary>
/// The tags that pages had when they were last seen, by key: with them a page and the generations of its tags are one batch. A guess, which the page itself
/// confirms or not.
/// </summary>
internal sealed class KnownTags
{
    /// <summary>Keys held; one more forgets all. Some 2 MB of keys and tags.</summary>
    public const int Most = 10_000;

    private readonly ConcurrentDictionary<string, string[]> _byKey = new(StringComparer.Ordinal);
    private int _count;

    /// <summary>The tags that the page had; none where it is not known.</summary>
    public string[] Of(string key) => _byKey.TryGetValue(key, out string[]? tags) ? tags : [];

    /// <summary>Keeps a page's tags, where it has any.</summary>
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
