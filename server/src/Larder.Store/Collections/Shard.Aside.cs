using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>
/// Builds a new collection from other collections. No entry refers to the new collection until it is complete. In this file, such a collection is called a
/// collection "aside". Each time the lock is acquired, only a few elements are added.
/// </summary>
internal sealed unsafe partial class Shard
{
    /// <summary>Takes the lock and reserves memory for the next elements of a collection aside. Creates the collection on the first call.</summary>
    /// <param name="aside">The call that builds the collection, with the number and bytes of the elements to add.</param>
    /// <param name="source">
    /// The call that reads another collection under its latch. The latch prevents the removal of that collection. While memory is freed, the call does not
    /// block reclaim.
    /// </param>
    /// <returns>The outcome: Ok or Full. If it is Ok, the lock is held until <see cref="EndTemporary"/>.</returns>
    public CollectionOutcome OpenTemporary(ref CollectionCall aside, ref CollectionCall source)
    {
        long room = 0;
        while (true)
        {
            EnterTemporary(ref source, room);
            bool isOpen = false;
            try
            {
                CollectionOutcome outcome = CollectionOutcome.Ok;
                if (Reserve(ref aside, aside.Root, ref room, ref outcome))
                {
                    aside.Root = aside.Root == null ? CollectionRoot.Create(_blocks, aside.Type) : aside.Root;
                    isOpen = true;
                }

                if (isOpen || outcome == CollectionOutcome.Full)
                {
                    return outcome;
                }
            }
            finally
            {
                if (!isOpen)
                {
                    _lock.Exit();
                }
            }
        }
    }

    /// <summary>Ends a step of the build, and releases the lock.</summary>
    public void EndTemporary(in CollectionCall aside)
    {
        SpareNodes.Free(aside.Root, _blocks);
        _lock.Exit();
    }

    /// <summary>
    /// Lets other calls run between two steps. The call leaves its epoch while they run, so that it does not prevent the reuse of freed memory. Its latch
    /// protects the collection that it reads.
    /// </summary>
    /// <returns>The outcome: Ok, Cancelled, or Missing if the store is closed.</returns>
    public CollectionOutcome StepTemporary(ref CollectionCall source)
    {
        if (CallPace.Current is not { } pace)
        {
            return CollectionOutcome.Ok;
        }

        source.Reader!.Exit();
        source.IsLost = true;
        bool isWanted = pace.Step();
        lock (_lock)
        {
            if (_closed)
            {
                return CollectionOutcome.Missing;
            }

            source.Reader.Enter();
            source.IsLost = false;
        }

        return isWanted ? CollectionOutcome.Ok : CollectionOutcome.Cancelled;
    }

    /// <summary>Discards a collection to which no entry refers yet.</summary>
    public void DropTemporary(in CollectionCall aside)
    {
        lock (_lock)
        {
            if (!_closed)
            {
                Drop(aside.Root);
            }
        }
    }

    /// <summary>
    /// Stores a collection aside under its key and replaces the previous item. If it is empty, the previous item is removed. If the key contains an item of
    /// another type, it is not changed.
    /// </summary>
    /// <param name="aside">The call with the collection, the key and the TTL. The collection is null if it has no elements.</param>
    /// <param name="isStored">Whether the entry now refers to the collection. If not, the caller must free the collection.</param>
    public CollectionOutcome Link(in CollectionCall aside, out bool isStored)
    {
        EntryHeader* entry = null;
        isStored = false;
        EnterWithSpace(EntryHeader.SizeOf(aside.Key.Length, sizeof(nint)));
        try
        {
            if (aside.Cache.LiveSpace is not { } space)
            {
                return CollectionOutcome.NoCache;
            }

            long nowMs = _parts.Clock.NowMs;
            ulong* slot = LockLive(aside.Hash, space, aside.Key, nowMs, out entry);
            if (slot != null && entry->Type != aside.Type)
            {
                return CollectionOutcome.WrongType;
            }

            if (aside.Root != null && aside.Root->Count > 0)
            {
                PutRoot(space, aside, slot, aside.Root, nowMs + aside.Ttl.TtlMs);
                isStored = true;
            }
            else if (slot != null)
            {
                Remove(slot, entry, RemovalReason.Deleted);
            }

            CountSet(space);
            return CollectionOutcome.Ok;
        }
        finally
        {
            EntryHeader.Unlock(entry);
            _lock.Exit();
        }
    }

    // Takes the lock after freeing memory. The call leaves its epoch before, because otherwise it would wait for itself. Its latch protects the collection that
    // it reads, unless the store is disposed.
    private void EnterTemporary(ref CollectionCall source, long room)
    {
        source.Reader!.Exit();
        source.IsLost = true;
        try
        {
            EnterWithSpace(sizeof(nint), room);
            source.IsLost = false;
        }
        catch (InsufficientMemoryException)
        {
            source.IsLost = false;
            throw;
        }
        finally
        {
            if (!source.IsLost)
            {
                source.Reader.Enter();
            }
        }
    }
}
