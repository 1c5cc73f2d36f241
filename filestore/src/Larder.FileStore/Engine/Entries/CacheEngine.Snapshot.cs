using System.Collections.ObjectModel;

namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    private Snapshot? _snapshot;

    /// <summary>
    /// Returns an immutable snapshot of all live keys and texts in insertion order. Omits entries whose bytes are not valid text. Returns the same snapshot
    /// until the cache changes.
    /// </summary>
    internal IReadOnlyDictionary<string, string> AllTexts()
    {
        if (Volatile.Read(ref *_committed) != Volatile.Read(ref _seen))
        {
            Refresh();
        }
        Snapshot? snapshot = Volatile.Read(ref _snapshot);
        return snapshot is not null && snapshot.Changes == Volatile.Read(ref _changes)
            && (snapshot.SoonestTick > _clock.AliveBefore || snapshot.SoonestTick > _clock.Tick)
            ? snapshot.Texts
            : TakeSnapshot();
    }

    private ReadOnlyDictionary<string, string> TakeSnapshot()
    {
        lock (_monitor)
        {
            Purge();
            Dictionary<string, string> texts = new(_set.Count);
            long soonest = Entry.Never;
            foreach (Entry entry in EntrySet.InOrder(_set.Slots))
            {
                if (TextBytes.TryRead(entry.Value!, out string? text))
                {
                    texts.Add(entry.Key, text);
                }
                soonest = Math.Min(soonest, entry.Deadline);
            }
            Snapshot snapshot = new(new ReadOnlyDictionary<string, string>(texts), _changes, soonest);
            Volatile.Write(ref _snapshot, snapshot);
            return snapshot.Texts;
        }
    }

    /// <summary>
    /// Returns the live entries whose keys start with <paramref name="prefix"/>, by ordinal comparison, in insertion order.
    /// </summary>
    internal List<Entry> WithPrefix(string prefix)
    {
        Refresh();
        lock (_monitor)
        {
            Purge();
            List<Entry> found = [];
            foreach (Entry? entry in _set.Slots)
            {
                if (entry?.Value is not null && entry.Key.StartsWith(prefix, StringComparison.Ordinal))
                {
                    found.Add(entry);
                }
            }
            found.Sort((a, b) => a.Sequence.CompareTo(b.Sequence));
            return found;
        }
    }

    /// <summary>
    /// Returns the text of an entry; null if the entry is null or a removed key. Throws if the entry was set as bytes that are not valid text.
    /// </summary>
    internal static string? TextOf(Entry? entry) => entry?.Value is not { } value ? null : TextBytes.TryRead(value, out string? text) ? text
        : throw new InvalidOperationException(
            $"The entry '{entry.Key}' was set as bytes that are not valid text. Read it through IDistributedFileStoreCacheBytes or IDistributedCache, or use "
                + $"separate cache files for text and bytes.");

    private sealed record Snapshot(ReadOnlyDictionary<string, string> Texts, long Changes, long SoonestTick);
}
