namespace Larder.Client.Near;

/// <summary>
/// The copies of the near cache, indexed by key and by ticket. Their total size in bytes is limited.
/// <para>
/// Design: any thread may look up a copy without a lock, but only one thread at a time may change the table. Lookups probe a hash table with open addressing. A
/// slot contains a copy, null, or the tombstone <see cref="NearCopy.Gone"/>, and is written atomically. A tombstone does not end a probe. A table that is too
/// full is replaced by a new table. Copies are evicted with the SIEVE algorithm when the memory limit is reached: a hand moves from the oldest copy to the
/// newest, and evicts the first copy that was not used since the hand passed it. A hit therefore only sets a mark.
/// </para>
/// </summary>
internal sealed partial class NearCopies(long maxBytes)
{
    private const int FewestSlots = 16;

    private readonly Dictionary<uint, NearCopy> _byTicket = [];
    private NearCopy?[] _slots = new NearCopy?[FewestSlots];

    // The number of slots that are not null. At most three quarters of the slots are not null, so that every probe ends at a null slot.
    private int _taken;
    private NearCopy? _oldest;
    private NearCopy? _newest;
    private NearCopy? _hand;

    public int Count { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>Gets the number of copies evicted because of the memory limit.</summary>
    public long Evictions { get; private set; }

    /// <summary>Gets all copies, the oldest first.</summary>
    public IEnumerable<NearCopy> All
    {
        get
        {
            for (NearCopy? copy = _oldest; copy is not null;)
            {
                NearCopy? newer = copy.Newer;
                yield return copy;
                copy = newer;
            }
        }
    }

    /// <summary>Returns the copy for a key, or null if there is none. Only this method is thread-safe. Calls of the other methods must not overlap.</summary>
    public NearCopy? Find(in NearKey key)
    {
        NearCopy?[] slots = Volatile.Read(ref _slots);
        int mask = slots.Length - 1;
        for (int at = key.Hash & mask; Volatile.Read(ref slots[at]) is { } copy; at = (at + 1) & mask)
        {
            if (copy.Is(key))
            {
                return copy;
            }
        }

        return null;
    }

    /// <summary>Returns whether a copy of this size fits within the memory limit if all other copies are evicted.</summary>
    public bool HasRoomFor(long bytes) => bytes <= maxBytes;

    /// <summary>Adds a copy. There must be no copy of the same key. Evicts other copies if the memory limit would be exceeded.</summary>
    public void Add(NearCopy copy)
    {
        while (Bytes + copy.Bytes > maxBytes)
        {
            Evictions++;
            Drop(NextToGo());
        }

        if (4 * (_taken + 1) > 3 * _slots.Length)
        {
            Rebuild();
        }

        Put(_slots, copy);
        Count++;
        Bytes += copy.Bytes;
        LinkNewest(copy);
        LinkTicket(copy);
    }

    /// <summary>
    /// Stores a decoded value with a copy. Evicts other copies if the memory limit would be exceeded. Does nothing if the copy was removed, or if it does not
    /// fit within the memory limit together with the decoded value.
    /// </summary>
    public void Attach(NearCopy copy, object decoded, long bytes)
    {
        long wholeBytes = NearCopy.BytesOf(copy.Cache, copy.Key, copy.Value) + bytes;
        if (Find(NearKey.Of(copy)) != copy || !HasRoomFor(wholeBytes))
        {
            return;
        }

        long added = wholeBytes - copy.Bytes;
        while (Bytes + added > maxBytes)
        {
            if (NextToGo() is { } next && next != copy)
            {
                Evictions++;
                Drop(next);
            }
        }

        copy.SetDecoded(decoded, bytes);
        Bytes += added;
    }

    public void Drop(in NearKey key)
    {
        if (Find(key) is { } copy)
        {
            Drop(copy);
        }
    }

    /// <summary>Removes all copies that have the given ticket. Returns the number of removed copies.</summary>
    public int DropTicket(uint ticket)
    {
        int dropped = 0;
        while (_byTicket.TryGetValue(ticket, out NearCopy? copy))
        {
            Drop(copy);
            dropped++;
        }

        return dropped;
    }

    public void DropCache(string cache)
    {
        foreach (NearCopy copy in All)
        {
            if (copy.Cache == cache)
            {
                Drop(copy);
            }
        }
    }

    public void Clear()
    {
        if (Count == 0)
        {
            return;
        }

        Volatile.Write(ref _slots, new NearCopy?[FewestSlots]);
        _byTicket.Clear();
        _oldest = _newest = _hand = null;
        _taken = Count = 0;
        Bytes = 0;
    }

    private void Drop(NearCopy copy)
    {
        Unslot(copy);
        UnlinkTicket(copy);
        Unlink(copy);
        Count--;
        Bytes -= copy.Bytes;
    }

    private NearCopy NextToGo()
    {
        NearCopy copy = _hand ?? _oldest!;
        // The loop is limited to one full pass, because other threads may set marks as fast as this thread clears them.
        for (int left = Count; left > 0 && copy.Unmark(); left--)
        {
            copy = copy.Newer ?? _oldest!;
        }

        _hand = copy.Newer;
        return copy;
    }

    private void Put(NearCopy?[] slots, NearCopy copy)
    {
        int mask = slots.Length - 1;
        int at = copy.Hash & mask;
        while (slots[at] is { } other && other != NearCopy.Gone)
        {
            at = (at + 1) & mask;
        }

        _taken += slots[at] is null ? 1 : 0;
        Volatile.Write(ref slots[at], copy);
    }

    private void Unslot(NearCopy copy)
    {
        NearCopy?[] slots = _slots;
        int mask = slots.Length - 1;
        int at = copy.Hash & mask;
        while (slots[at] != copy)
        {
            at = (at + 1) & mask;
        }

        // If the next slot is null, no probe needs to continue past this slot. This slot and the tombstones before it can then become null.
        if (slots[(at + 1) & mask] is not null)
        {
            Volatile.Write(ref slots[at], NearCopy.Gone);
            return;
        }

        do
        {
            Volatile.Write(ref slots[at], null);
            _taken--;
            at = (at - 1) & mask;
        }
        while (slots[at] == NearCopy.Gone);
    }

    // Replaces the table by a new table that has no tombstones and is at most half full. The new table may be larger, smaller or of the same size.
    private void Rebuild()
    {
        int length = FewestSlots;
        while (length < 2 * (Count + 1))
        {
            length *= 2;
        }

        NearCopy?[] slots = new NearCopy?[length];
        _taken = 0;
        foreach (NearCopy copy in All)
        {
            Put(slots, copy);
        }

        Volatile.Write(ref _slots, slots);
    }

    private void LinkNewest(NearCopy copy)
    {
        copy.Older = _newest;
        if (_newest is null)
        {
            _oldest = copy;
        }
        else
        {
            _newest.Newer = copy;
        }

        _newest = copy;
    }

    private void Unlink(NearCopy copy)
    {
        if (_hand == copy)
        {
            _hand = copy.Newer;
        }

        if (copy.Older is { } older)
        {
            older.Newer = copy.Newer;
        }
        else
        {
            _oldest = copy.Newer;
        }

        if (copy.Newer is { } newer)
        {
            newer.Older = copy.Older;
        }
        else
        {
            _newest = copy.Older;
        }

        copy.Older = copy.Newer = null;
    }

    private void LinkTicket(NearCopy copy)
    {
        if (_byTicket.TryGetValue(copy.Ticket, out NearCopy? first))
        {
            copy.NextOfTicket = first;
            first.PreviousOfTicket = copy;
        }

        _byTicket[copy.Ticket] = copy;
    }

    private void UnlinkTicket(NearCopy copy)
    {
        if (copy.NextOfTicket is { } next)
        {
            next.PreviousOfTicket = copy.PreviousOfTicket;
        }

        if (copy.PreviousOfTicket is { } previous)
        {
            previous.NextOfTicket = copy.NextOfTicket;
        }
        else if (copy.NextOfTicket is { } first)
        {
            _byTicket[copy.Ticket] = first;
        }
        else
        {
            _byTicket.Remove(copy.Ticket);
        }

        copy.NextOfTicket = copy.PreviousOfTicket = null;
    }
}
