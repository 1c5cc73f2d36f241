using Larder.Store.Snapshots;

namespace Larder.Store;

/// <summary>The store's interface for writing and loading snapshots.</summary>
public sealed partial class CacheStore
{
    /// <summary>All caches with their current spaces, in ordinal order of their names.</summary>
    internal (string Name, Space Space)[] Spaces
    {
        get
        {
            lock (_directoryLock)
            {
                return [.. _directory.Caches.Select(cache => (cache.Name, cache.Space)).OrderBy(cache => cache.Name, StringComparer.Ordinal)];
            }
        }
    }

    // The percentage of the memory that entries of a full store may use. The highest percentage observed was 92, in a store with one shard of 64 MiB and values
    // of 2,000 bytes.
    private const int FullestShare = 95;

    internal long MaxTtlMs => _maxTtlMs;

    /// <summary>
    /// The maximum number of bytes of entries to load, including headers. A full store with few large shards contains about this many bytes, so a store of the
    /// same kind and size can load all of them. A store of another kind may evict some entries while it loads the last few percent.
    /// </summary>
    internal long BytesToLoad => _options.MaxMemoryBytes / 100 * FullestShare;

    /// <summary>The wall clock, in milliseconds since 1970.</summary>
    internal long WallNowMs => _options.TimeProvider.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Returns a new table of space numbers. The entries of a snapshot refer to their spaces by these numbers.</summary>
    internal SnapshotSpaces NumberSpaces() => new(_spaces);

    /// <summary>Visits all entries, in steps (see <see cref="Shard.Walk"/>).</summary>
    /// <param name="slots">The number of index slots per step.</param>
    /// <param name="visitor">The visitor to call.</param>
    /// <param name="between">Called after each step, outside any epoch.</param>
    internal void Walk(int slots, IEntryVisitor visitor, Action between)
    {
        foreach (Shard shard in _shards)
        {
            ShardCursor cursor = default;
            bool more = true;
            while (more)
            {
                more = shard.Walk(ref cursor, slots, visitor);
                between();
            }
        }
    }
}
