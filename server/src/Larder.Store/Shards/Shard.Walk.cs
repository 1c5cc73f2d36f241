namespace Larder.Store;

/// <summary>
/// Walks through all entries, a few at a time. Like a read, the walk runs within an epoch and without the lock, so no write waits for it. Words of a table
/// never move, so an entry that exists during the whole walk is visited. If the table is replaced, the walk starts again with the new table.
/// </summary>
internal sealed unsafe partial class Shard
{
    /// <summary>
    /// Visits the entries of the next slots. Every entry that exists during the whole walk is visited at least once. The visitor receives the content that the
    /// entry has at the time of the visit. An entry that is added or removed during the walk may be skipped.
    /// </summary>
    /// <param name="cursor">The position where the previous step ended.</param>
    /// <param name="slots">The number of slots to pass.</param>
    /// <param name="visitor">The visitor to call.</param>
    /// <returns>True if more entries must be visited.</returns>
    public bool Walk(ref ShardCursor cursor, int slots, IEntryVisitor visitor)
    {
        ReaderSlot reader = _parts.Epochs.Current;
        reader.Enter();
        try
        {
            IndexTable* table = Index;
            if (table->Serial != cursor.Table)
            {
                cursor = new ShardCursor(table->Serial, 0);
            }

            ulong* words = IndexTable.GroupAt(table, 0);
            for (; slots > 0 && cursor.Slot < table->Slots; slots--)
            {
                ulong word = Volatile.Read(ref words[cursor.Slot]);
                uint address = IndexTable.AddressOf(word);
                if (address != 0 && !visitor.TryVisit(_heap.EntryAt(address), _heap.QueueNear(address)))
                {
                    return true;
                }

                cursor.Slot++;
            }

            return cursor.Slot < table->Slots;
        }
        finally
        {
            reader.Exit();
        }
    }

    /// <summary>Restores a scalar from a snapshot, with its expiry, hits and queue. This is not counted as a set.</summary>
    /// <param name="cache">The cache. If it is deleted, nothing is stored.</param>
    /// <param name="hash">The key's hash.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="expiresAtMs">The expiry time.</param>
    /// <param name="frequency">The number of hits.</param>
    /// <param name="queue">The queue that contained the entry.</param>
    /// <param name="tail">The entry's tail; empty if there is no tail.</param>
    public void Restore(
        Cache cache,
        uint hash,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        long expiresAtMs,
        byte frequency,
        QueueKind queue,
        ReadOnlySpan<byte> tail)
    {
        EntryHeader* entry = null;
        EnterWithSpace(EntryHeader.SizeOf(key.Length, value.Length + tail.Length));
        try
        {
            if (cache.LiveSpace is not { } space)
            {
                return;
            }

            ulong* slot = LockLive(hash, space, key, _parts.Clock.NowMs, out entry);
            if (slot == null)
            {
                AddWord(IndexTable.Word(hash, Place(queue, space, expiresAtMs, frequency, key, value, isFixed: true, ItemType.Scalar, tail)));
            }
            else
            {
                Write(space, hash, slot, key, value, expiresAtMs, ItemType.Scalar, tail);
            }
        }
        finally
        {
            EntryHeader.Unlock(entry);
            _lock.Exit();
        }
    }
}
