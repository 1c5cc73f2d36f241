using System.Runtime.InteropServices;
using Larder.Store.Collections;

namespace Larder.Store;

/// <summary>
/// Collections. The value of a collection's entry is a pointer to its root (<see cref="CollectionRoot"/>). The entry moves, expires and is evicted like any
/// other entry. Calls run under the lock. A long write releases the lock between steps and holds a latch on the collection, so that no call sees a partial
/// change. A long read takes the latch for reading and then needs no lock. A call that finds the latch taken waits without the lock.
/// </summary>
internal sealed unsafe partial class Shard
{
    // The number of times a waiting call checks a latch, a few microseconds apart, before it sleeps 1 ms between checks.
    private const int SpinCount = 200;

    private readonly BlockHeap _blocks;
    private long _linkedBytes;
    private BlockNeed _promised;

    private enum Opening
    {
        /// <summary>The call proceeds and holds the lock.</summary>
        Done,

        /// <summary>The call ends with the given outcome.</summary>
        Over,

        /// <summary>Memory must be freed first.</summary>
        NeedsRoom,

        /// <summary>Another call holds the latch.</summary>
        Waits,
    }

    /// <summary>The memory of the collections. The caller must hold the lock.</summary>
    public BlockHeap Blocks => _blocks;

    /// <summary>Finds or creates the collection of a call, and sets its TTL if the call requests it.</summary>
    /// <returns>
    /// If the outcome is Ok, the lock is held, and memory for the elements that the call adds is reserved. Otherwise, the lock is not held, and nothing was
    /// changed.
    /// </returns>
    public CollectionOutcome Open(ref CollectionCall call)
    {
        long room = 0;
        for (int looks = 0; ; looks++)
        {
            if (call.Adds || call.AddsToTemporary || call.Ttl.Refresh)
            {
                EnterWithSpace(EntryHeader.SizeOf(call.Key.Length, sizeof(nint)), room);
            }
            else
            {
                _lock.Enter();
                _work = 0;
            }

            Opening opening = Opening.Over;
            CollectionOutcome outcome;
            try
            {
                opening = TryOpen(ref call, ref room, out outcome);
            }
            finally
            {
                if (opening != Opening.Done)
                {
                    _lock.Exit();
                }
            }

            if (opening is Opening.Done or Opening.Over)
            {
                return outcome;
            }

            if (opening == Opening.Waits && WaitForLatch(ref call, looks < SpinCount ? 0 : 1) is { } stopped)
            {
                return stopped;
            }
        }
    }

    /// <summary>
    /// Sets the TTL after a successful write, if <paramref name="ttl"/> requests it. The lock must not have been released since <see cref="Open"/>.
    /// </summary>
    public void RefreshTtl(ref CollectionCall call, CollectionTtl ttl)
    {
        if (ttl.Refresh)
        {
            EntryHeader* entry = EntryOf(call, out ulong* slot);
            EntryHeader.Lock(entry);
            SetExpiry(call.Space, call, slot, entry, _parts.Clock.NowMs + ttl.TtlMs);
            EntryHeader.Unlock(entry);
        }
    }

    /// <summary>Returns the expiry time of the call's collection. The lock must not have been released since <see cref="Open"/>.</summary>
    public long ExpiryOf(in CollectionCall call) => EntryHeader.ReadExpiry(EntryOf(call, out _));

    /// <summary>Removes an item if it has the given type.</summary>
    public CollectionOutcome DeleteItem(Cache cache, uint hash, ReadOnlySpan<byte> key, ItemType type)
    {
        lock (_lock)
        {
            ulong* slot = LockLive(hash, cache.Space, key, _parts.Clock.NowMs, out EntryHeader* entry);
            if (slot == null)
            {
                return CollectionOutcome.Missing;
            }

            if (entry->Type != type)
            {
                EntryHeader.Unlock(entry);
                return CollectionOutcome.WrongType;
            }

            Remove(slot, entry, RemovalReason.Deleted);
            return CollectionOutcome.Ok;
        }
    }

    /// <summary>Releases the lock for a long read. The latch keeps the collection unchanged until <see cref="End"/>.</summary>
    public void ReadAlone(ref CollectionCall call)
    {
        call.Root->Latch++;
        call.Reader = _parts.Epochs.Current;
        call.Reader.Enter();
        _lock.Exit();
    }

    /// <summary>Ends a call. Removes the collection if it is empty, and releases the lock.</summary>
    public void End(ref CollectionCall call)
    {
        CollectionRoot* root = call.Root;
        if (call.Reader is { } reader)
        {
            if (!call.IsLost)
            {
                _lock.Enter();
                root->Latch--;
                DropIfGone(root);
                _lock.Exit();
                reader.Exit();
            }

            return;
        }

        try
        {
            if (call.Writes && !call.IsLost)
            {
                SpareNodes.Free(root, _blocks);
                EndStep(ref call);
                PoolOpened(call);
                root->Latch = 0;
                bool isEmpty = root->Count == 0 && !root->IsGone;
                DropIfGone(root);
                if (isEmpty)
                {
                    RemoveEmpty(call);
                }
            }
        }
        finally
        {
            _lock.Exit();
        }
    }

    /// <summary>Replaces the collection of a call and keeps its expiry. The new collection must not yet be included in the accounts.</summary>
    public void Replace(ref CollectionCall call, CollectionRoot* root)
    {
        EndStep(ref call);
        CollectionRoot* before = call.Root;
        before->Latch = 0;
        if (before->IsGone)
        {
            root->IsGone = true;
        }
        else
        {
            EntryHeader* entry = EntryOf(call, out _);
            Account(entry, -1);
            SetRoot(entry, root);
            Account(entry, 1);
            before->IsGone = true;
        }

        DropIfGone(before);
        call.Root = root;
        BeginStep(ref call);
    }

    private static CollectionRoot* RootOf(EntryHeader* entry) => (CollectionRoot*)MemoryMarshal.Read<nint>(EntryHeader.Value(entry));

    private static void SetRoot(EntryHeader* entry, CollectionRoot* root) =>
        MemoryMarshal.Write(new Span<byte>((byte*)(entry + 1) + entry->KeyLength, sizeof(nint)), (nint)root);

    private Opening TryOpen(ref CollectionCall call, ref long room, out CollectionOutcome outcome)
    {
        outcome = call.Adds ? CollectionOutcome.NoCache : CollectionOutcome.Missing;
        if (_closed || call.Cache.LiveSpace is not { } space)
        {
            return Opening.Over;
        }

        long nowMs = _parts.Clock.NowMs;
        ulong* slot = LockLive(call.Hash, space, call.Key, nowMs, out EntryHeader* entry);
        try
        {
            CollectionRoot* root = null;
            if (slot == null && (!call.Adds || call.Elements == 0 || call.CreatesNone))
            {
                outcome = CollectionOutcome.Missing;
                return Opening.Over;
            }

            if (slot != null)
            {
                if (call.TakesAny ? entry->Type == ItemType.Scalar : entry->Type != call.Type)
                {
                    outcome = CollectionOutcome.WrongType;
                    return Opening.Over;
                }

                root = RootOf(entry);
                if (root->Latch < 0 || (root->Latch > 0 && (call.Writes || root->IsAwaited)))
                {
                    root->IsAwaited |= call.Writes;
                    return Opening.Waits;
                }

                if (CallPace.Defers(CallCost.ToCut(call.SurplusOf(root))))
                {
                    outcome = CollectionOutcome.Deferred;
                    return Opening.Over;
                }

                if (!call.IsUncounted)
                {
                    EntryHeader.Touch(entry);
                }
            }

            if ((call.Adds || call.AddsToTemporary) && !Reserve(ref call, call.Adds ? root : null, ref room, ref outcome))
            {
                return outcome == CollectionOutcome.Full ? Opening.Over : Opening.NeedsRoom;
            }

            call.Root = root;
            if (root == null)
            {
                call.Root = CollectionRoot.Create(_blocks, call.Type);
                PutNewRoot(space, call, call.ExpiresAtMs > 0 ? call.ExpiresAtMs : nowMs + call.Ttl.TtlMs);
            }
            else if (call.Ttl.Refresh)
            {
                SetExpiry(space, call, slot, entry, nowMs + call.Ttl.TtlMs);
            }

            call.Root->IsAwaited &= !call.Writes;
            call.Space = space;
            BeginStep(ref call);
            if (call.Adds && !call.IsUncounted)
            {
                CountSet(space);
            }

            outcome = CollectionOutcome.Ok;
            return Opening.Done;
        }
        finally
        {
            EntryHeader.Unlock(entry);
        }
    }

    /// <summary>
    /// Ensures that there are blocks for all elements that the call adds. Otherwise, an allocation could fail after the call has changed a part of the
    /// collection.
    /// </summary>
    private bool Reserve(ref CollectionCall call, CollectionRoot* root, ref long room, ref CollectionOutcome outcome)
    {
        BlockNeed need = CollectionNeed.Of(root, call);
        if (need.Bytes + (root == null ? 0 : root->ChargedBytes) > MaxCollectionBytes(_maxBytes))
        {
            outcome = CollectionOutcome.Full;
            return false;
        }

        call.Promised = need;
        return ReserveBlocks(need + _promised, ref room);
    }

    private bool ReserveBlocks(BlockNeed wanted, ref long room)
    {
        if (_blocks.TryReserve(wanted))
        {
            return true;
        }

        long chunk = _blocks.ChunkBytesFor(wanted);
        if (room < chunk)
        {
            room = chunk;
            return false;
        }

        return _blocks.TryAddChunk(chunk) ? _blocks.TryReserve(wanted) : throw PageRegions.Refused(chunk);
    }

    private void PutNewRoot(Space space, in CollectionCall call, long expiresAtMs)
    {
        try
        {
            PutRoot(space, call, null, call.Root, expiresAtMs);
        }
        catch (InsufficientMemoryException)
        {
            Drop(call.Root);
            throw;
        }
    }

    private void PutRoot(Space space, in CollectionCall call, ulong* slot, CollectionRoot* root, long expiresAtMs)
    {
        var handle = new ReadOnlySpan<byte>(&root, sizeof(nint));
        if (slot != null)
        {
            WriteAnew(space, call.Hash, slot, call.Key, handle, expiresAtMs, call.Type);
        }
        else
        {
            QueueKind queue = call.Queue ?? QueueOfNew(call.Hash);
            AddWord(IndexTable.Word(call.Hash, Place(queue, space, expiresAtMs, call.Frequency, call.Key, handle, isFixed: true, call.Type)));
        }
    }

    private void SetExpiry(Space space, in CollectionCall call, ulong* slot, EntryHeader* entry, long expiresAtMs)
    {
        if (entry->CanChange)
        {
            Change(entry, IndexTable.AddressOf(*slot), expiresAtMs, default);
        }
        else
        {
            WriteAnew(space, call.Hash, slot, call.Key, EntryHeader.Value(entry), expiresAtMs, call.Type);
        }
    }

    private void RemoveEmpty(in CollectionCall call)
    {
        EntryHeader* entry = EntryOf(call, out ulong* slot);
        EntryHeader.Lock(entry);
        Remove(slot, entry, RemovalReason.Deleted);
    }

    private EntryHeader* EntryOf(in CollectionCall call, out ulong* slot)
    {
        slot = FindSlot(call.Hash, call.Space.Id, call.Key, out EntryHeader* entry);
        Invariant.Holds(slot != null && RootOf(entry) == call.Root, "a collection that is not gone has its entry");
        return entry;
    }
}
