using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>
/// Builds a new collection from other collections. No entry refers to the new collection until it is complete. Until then, it is called a temporary collection.
/// Each time the lock is acquired, only a few elements are added to it.
/// </summary>
internal sealed unsafe partial class Shard
{
    /// <summary>Takes the lock and reserves memory for the next elements of a temporary collection. Creates the collection on the first call.</summary>
    /// <param name="aside">The call that builds the temporary collection. It contains the number of elements to add and their size in bytes.</param>
    /// <param name="source">
    /// The call that reads a source collection. The latch of this call prevents the removal of that collection. While memory is being freed, the call is
    /// outside its epoch, so that it does not block the reuse of freed memory.
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
    /// Lets other calls run between two steps. Meanwhile, the call that reads the source collection leaves its epoch, so that it does not prevent the reuse of
    /// freed memory. The latch of this call still protects the source collection.
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
    /// Stores a temporary collection under its key and replaces the previous item. If the temporary collection is empty, the previous item is removed instead.
    /// If the previous item has another type, nothing is changed.
    /// </summary>
    /// <param name="aside">The call with the temporary collection, the key and the TTL. The collection is null if no elements were added.</param>
    /// <param name="isStored">Whether an entry now refers to the collection. If not, the caller must free the collection.</param>
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

    // Frees memory and then takes the lock. Meanwhile, the call that reads the source collection leaves its epoch. Otherwise, it would wait for itself. The
    // latch of this call still protects the source collection, unless the store is disposed.
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
