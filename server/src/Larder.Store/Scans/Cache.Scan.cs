namespace Larder.Store;

/// <summary>Which keys there are.</summary>
public sealed partial class Cache
{
    // By which its cursors are known: drawn at random, and sent.
    private readonly ulong _scanMark = KeyHash.NewSeed();

    /// <summary>
    /// Shows some of the keys. A scan calls this with the cursor of the page before until that is empty. Every key that is there from the first call to the
    /// last is shown at least once, and seldom twice; one that comes or goes meanwhile may be. One call looks at a bounded number of entries, of all caches,
    /// and holds no lock, so that a page may be empty though more follow. Counts neither hits nor misses, and saves nothing from eviction.
    /// </summary>
    /// <param name="cursor">That of the page before; empty: the beginning.</param>
    /// <param name="query">Which keys, and how many.</param>
    /// <returns>The page; null where the cursor is not of this cache since it was created, or of this process.</returns>
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
