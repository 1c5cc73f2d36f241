namespace Larder.Store;

/// <summary>
/// Scans a cache's keys in the order of <see cref="ScanRank"/>, which does not depend on where entries are stored. Like a read, the scan runs within an epoch
/// and without the lock. A key that exists during the whole scan has exactly one word in every table that a pass may read. Therefore, the pass for the key's
/// rank finds the key, even if the table is replaced between two passes.
/// </summary>
internal sealed unsafe partial class Shard
{
    /// <summary>Adds the keys with the next ranks to the page, until the page is full.</summary>
    /// <param name="cache">The cache.</param>
    /// <param name="from">The lowest rank to include.</param>
    /// <param name="scan">The scan call that collects the keys.</param>
    /// <returns>The lowest rank that was not returned, or <see cref="ScanRank.End"/>.</returns>
    public ulong Scan(Cache cache, ulong from, KeyScan scan)
    {
        ReaderSlot reader = _parts.Epochs.Current;
        reader.Enter();
        try
        {
            if (cache.LiveSpace is not { } space)
            {
                return ScanRank.End;
            }

            IndexTable* table = Index;
            scan.Passed(table->Slots);
            ulong until = scan.Window.Gather(table, Volatile.Read(ref _entries), from);
            ulong shown = from;
            foreach (ulong found in scan.Window.Found)
            {
                // Keys with the same rank stay in one page, because the cursor cannot distinguish them.
                uint rank = ScanWindow.RankOf(found);
                if (rank != shown && !scan.HasRoom)
                {
                    return rank;
                }

                shown = rank;
                scan.Looked();
                Show(cache, space, ScanWindow.AddressOf(found), scan);
            }

            return until;
        }
        finally
        {
            reader.Exit();
        }
    }

    private void Show(Cache cache, Space space, uint address, KeyScan scan)
    {
        EntryHeader* entry = _heap.EntryAt(address);
        ReadOnlySpan<byte> key = EntryHeader.Key(entry);
        if (entry->SpaceId != space.Id || !scan.Wants(key, entry->Type))
        {
            return;
        }

        if (entry->Dead)
        {
            // The entry was removed or moved after the pass had found it.
            entry = Find(cache.HashOf(key), space.Id, key);
            if (entry == null || !scan.Wants(key, entry->Type))
            {
                return;
            }
        }

        long expiresAtMs = EntryHeader.ReadExpiry(entry);
        if (_parts.Clock.HasPassed(expiresAtMs) || cache.HasRemoved(entry))
        {
            return;
        }

        long bytes = entry->Type == ItemType.Scalar ? entry->ValueLength : BytesOfCollection(cache.HashOf(key), space.Id, key);
        scan.Add(new ScannedKey(key.ToArray(), entry->Type, Math.Max(expiresAtMs - _parts.Clock.NowMs - 1, 0), bytes));
    }

    // Returns the size of a collection. Takes the lock, because the memory of a removed collection is freed without waiting for readers.
    private long BytesOfCollection(uint hash, int spaceId, ReadOnlySpan<byte> key)
    {
        lock (_lock)
        {
            ulong* slot = FindSlot(hash, spaceId, key, out EntryHeader* entry);
            return slot == null ? 0 : PayloadBytes(entry) - key.Length;
        }
    }
}
