using Larder.Store.Snapshots;

namespace Larder.Store;

/// <summary>What writing and loading a snapshot asks of the store.</summary>
public sealed partial class CacheStore
{
    /// <summary>The caches and the space that each has now, in ordinal order of their names.</summary>
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

    // Percent of the memory: 92 was seen, in one shard of 64 MiB with values of 2,000 bytes.
    private const int FullestShare = 95;

    internal long MaxTtlMs => _maxTtlMs;

    /// <summary>
    /// Bytes of entries, with their headers, to load at most: what a full store of few large shards holds, so that one as large as before takes all; of others
    /// the last few percent make room by the store's own rules.
    /// </summary>
    internal long BytesToLoad => _options.MaxMemoryBytes / 100 * FullestShare;

    /// <summary>The wall clock, in milliseconds since 1970.</summary>
    internal long WallNowMs => _options.TimeProvider.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>The numbers that entries of this store bear by cache and flush.</summary>
    internal SnapshotSpaces NumberSpaces() => new(_spaces);

    /// <summary>Shows all entries, so many slots of the index at a time (<see cref="Shard.Walk"/>).</summary>
    /// <param name="slots">Slots of one step.</param>
    /// <param name="visitor">Who looks.</param>
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
