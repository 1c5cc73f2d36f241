namespace Larder.Store;

/// <summary>Scans of a cache's keys.</summary>
public sealed partial class Cache
{
    // A random number that identifies this cache's cursors. Every cursor contains it.
    private readonly ulong _scanMark = KeyHash.NewSeed();

    /// <summary>
    /// Returns a page of the cache's keys. To scan all keys, call this repeatedly with the previous page's cursor until the cursor is empty. Every key that
    /// exists during the whole scan is returned at least once, and in rare cases twice. A key that is added or removed during the scan may be missing. Each
    /// call visits a limited number of entries of all caches and holds no lock. A page may be empty even if more pages follow. Scans are not counted as hits or
    /// misses, and do not protect entries from eviction.
    /// </summary>
    /// <param name="cursor">The cursor of the previous page; empty to start.</param>
    /// <param name="query">The filter and the page size.</param>
    /// <returns>The page; null if the cursor is not a valid cursor of this cache in this process.</returns>
    public KeyPage? Scan(ReadOnlySpan<byte> cursor, KeyQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        if (!ScanCursor.TryRead(cursor, _scanMark, _store.ShardCount, out ScanCursor at))
        {
            return null;
        }

        KeyScan scan = new(query);
        while (at.Shard < _store.ShardCount && scan.MayPass)
        {
            Shard shard = _store.ShardAt(at.Shard);
            bool isEmpty = LiveSpace is not { } space || shard.UsageOfSpace(space.Id).Entries == 0;
            ulong next = isEmpty ? ScanRank.End : shard.Scan(this, at.Rank, scan);
            at = next == ScanRank.End ? new ScanCursor(at.Shard + 1, 0) : at with { Rank = next };
        }

        return new KeyPage(scan.Keys, at.Shard < _store.ShardCount ? at.Write(_scanMark) : []);
    }
}
