using Larder.Store.Snapshots;

namespace Larder.Store;

/// <summary>The store's interface for writing and loading snapshots.</summary>
public sealed partial class CacheStore
{
    /// <summary>All caches, in ordinal order of their names, with their current spaces.</summary>
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

    // Percent of the memory. The highest share observed was 92: one shard of 64 MiB with values of 2,000 bytes.
    private const int FullestShare = 95;

    internal long MaxTtlMs => _maxTtlMs;

    /// <summary>
    /// Maximum bytes of entries, with headers, to load: what a full store with few large shards holds, so that a store of the same size can load everything.
    /// In other stores the last few percent evict entries by the usual rules.
    /// </summary>
    internal long BytesToLoad => _options.MaxMemoryBytes / 100 * FullestShare;

    /// <summary>The wall clock, in milliseconds since 1970.</summary>
    internal long WallNowMs => _options.TimeProvider.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Assigns the numbers by which a snapshot's entries refer to their cache and flush.</summary>
    internal SnapshotSpaces NumberSpaces() => new(_spaces);

    /// <summary>Visits all entries, in steps of this many index slots (<see cref="Shard.Walk"/>).</summary>
    /// <param name="slots">The number of slots per step.</param>
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
