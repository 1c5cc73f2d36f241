namespace Larder.Store;

/// <summary>
/// Showing the keys of a cache in an order that does not depend on where they stand: by <see cref="ScanRank"/>. As a reader does, inside an epoch, without the
/// lock. A key that is there throughout has one word, in one slot of each table that a pass may go through; so it is met by the pass of its rank, however
/// often the table is replaced between one pass and the next.
/// </summary>
internal sealed unsafe partial class Shard
{
    /// <summary>Shows the keys of a cache with the next ranks, as far as the page takes them.</summary>
    /// <param name="cache">The cache.</param>
    /// <param name="from">The lowest rank.</param>
    /// <param name="scan">The call.</param>
    /// <returns>The lowest rank that is not shown; or <see cref="ScanRank.End"/>.</returns>
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
                // Keys of one rank are shown together: the cursor cannot tell them apart.
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
            // Removed since the pass, or moved.
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

    // Under the lock: the memory of a collection that leaves waits for no readers.
    private long BytesOfCollection(uint hash, int spaceId, ReadOnlySpan<byte> key)
    {
        lock (_lock)
        {
            ulong* slot = FindSlot(hash, spaceId, key, out EntryHeader* entry);
            return slot == null ? 0 : PayloadBytes(entry) - key.Length;
        }
    }
}
