using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>A collection that is made out of others before any entry refers to it, a few elements in each hold of the lock.</summary>
internal sealed unsafe partial class Shard
{
    /// <summary>Takes the lock, with room for what is added next to a collection aside, which is created at first.</summary>
    /// <param name="aside">What it is for: its elements and bytes are those to be added.</param>
    /// <param name="source">A call that reads another collection alone: what it reads stays, but it holds up nobody while room is made.</param>
    /// <returns>Ok, and the lock is held until <see cref="EndAside"/>; or full.</returns>
    public CollectionOutcome OpenAside(ref CollectionCall aside, ref CollectionCall source)
    {
        long room = 0;
        while (true)
        {
            EnterBeside(ref source, room);
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

    /// <summary>Gives the lock back.</summary>
    public void EndAside(in CollectionCall aside)
    {
        SpareNodes.Free(aside.Root, _blocks);
        _lock.Exit();
    }

    /// <summary>
    /// Lets other work run between two steps. Meanwhile the call is in no epoch, so that it does not keep freed memory from reuse; its latch keeps what it
    /// reads.
    /// </summary>
    /// <returns>Ok; cancelled; or, if the store is closed, missing.</returns>
    public CollectionOutcome StepBeside(ref CollectionCall source)
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

    /// <summary>Lets go of a collection aside.</summary>
    public void DropAside(in CollectionCall aside)
    {
        lock (_lock)
        {
            if (!_closed)
            {
                Drop(aside.Root);
            }
        }
    }

    /// <summary>Stores a collection aside in the place of what is there; one without elements removes that. A key of another type keeps what it has.</summary>
    /// <param name="aside">The collection, or none where it has no elements, with the key and the TTL.</param>
    /// <param name="isStored">Whether the collection is the entry's now; else it is still the caller's.</param>
    public CollectionOutcome Link(in CollectionCall aside, out bool isStored)
    {
        EntryHeader* entry = null;
        isStored = false;
        EnterWithRoom(EntryHeader.SizeOf(aside.Key.Length, sizeof(nint)));
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

    // The reader leaves its epoch meanwhile, or it would wait for itself; what it reads is kept by its latch, unless the store is disposed of.
    private void EnterBeside(ref CollectionCall source, long room)
    {
        source.Reader!.Exit();
        source.IsLost = true;
        try
        {
            EnterWithRoom(sizeof(nint), room);
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
