namespace Larder.Store;

/// <summary>
/// Looking at all entries, a few at a time, as a reader does: inside an epoch, without the lock, so that no write waits for it. Words of a table are never
/// moved, so what is there throughout is met; where the table is replaced, by a larger or smaller one, the walk begins again with that.
/// </summary>
internal sealed unsafe partial class Shard
{
    /// <summary>
    /// Shows the entries of the next slots. Each that is there from the first step to the last is shown, with what it holds at that moment or a
    /// later one, perhaps more than once; one that comes or goes meanwhile may be.
    /// </summary>
    /// <param name="cursor">Where the last step ended.</param>
    /// <param name="slots">How many slots.</param>
    /// <param name="visitor">Who looks.</param>
    /// <returns>Whether there is more.</returns>
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

    /// <summary>Stores a scalar as it was in a store before: with its expiry, its hits, and in its queue. Not counted as a set.</summary>
    /// <param name="cache">The cache; where it is deleted, nothing is stored.</param>
    /// <param name="hash">The key's hash.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="expiresAtMs">When it expires.</param>
    /// <param name="frequency">Its hits.</param>
    /// <param name="queue">The queue that it stood in.</param>
    /// <param name="tail">Its tail, or nothing.</param>
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
        EnterWithRoom(EntryHeader.SizeOf(key.Length, value.Length + tail.Length));
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
