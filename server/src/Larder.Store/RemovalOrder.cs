namespace Larder.Store;

/// <summary>
/// Removed tags from the oldest removal to the newest: a linked list in an array without references, so that garbage collections need not look at it. Each
/// step takes the same time however many tags there are, but for the growth of the array. For one thread at a time, except <see cref="TryRead"/>.
/// </summary>
internal sealed class RemovalOrder
{
    private const int None = -1;

    private Entry[] _entries = new Entry[16];
    private int _used;
    private int _oldest = None;
    private int _newest = None;

    // The first free slot below _used; each knows the next as its newer one.
    private int _free = None;

    /// <summary>Tags in it.</summary>
    public int Count { get; private set; }

    /// <summary>Adds a tag as the newest. Returns its slot.</summary>
    public int Add(ulong tag, long number)
    {
        int slot = TakeSlot();
        ref Entry entry = ref _entries[slot];

        // In this order: see TryRead.
        Volatile.Write(ref entry.Tag, tag);
        Volatile.Write(ref entry.Number, number);
        LinkNewest(slot);
        Count++;
        return slot;
    }

    /// <summary>The tag of a slot has been removed again: it is the newest.</summary>
    public void Renew(int slot, long number)
    {
        Volatile.Write(ref _entries[slot].Number, number);
        Unlink(slot);
        LinkNewest(slot);
    }

    /// <summary>The oldest; false if there is none.</summary>
    public bool TryPeekOldest(out ulong tag, out long number)
    {
        (tag, number) = _oldest == None ? default : (_entries[_oldest].Tag, _entries[_oldest].Number);
        return _oldest != None;
    }

    /// <summary>Removes the oldest; there must be one.</summary>
    public void RemoveOldest()
    {
        int slot = _oldest;
        Unlink(slot);
        _entries[slot].Newer = _free;
        _free = slot;
        Count--;
    }

    /// <summary>Removes all.</summary>
    public void Clear()
    {
        Volatile.Write(ref _entries, new Entry[16]);
        (_used, _oldest, _newest, _free, Count) = (0, None, None, None, 0);
    }

    /// <summary>The number of a tag's last removal; false if the slot has another tag by now. From any thread.</summary>
    public bool TryRead(int slot, ulong tag, out long number)
    {
        Entry[] entries = Volatile.Read(ref _entries);
        if (slot >= entries.Length)
        {
            number = 0;
            return false;
        }

        // A slot's tag changes before its number, so a number that was read before the tag belongs to it.
        number = Volatile.Read(ref entries[slot].Number);
        return Volatile.Read(ref entries[slot].Tag) == tag;
    }

    private int TakeSlot()
    {
        if (_free != None)
        {
            int free = _free;
            _free = _entries[free].Newer;
            return free;
        }

        if (_used == _entries.Length)
        {
            Entry[] larger = new Entry[_entries.Length * 2];
            _entries.CopyTo(larger, 0);
            Volatile.Write(ref _entries, larger);
        }

        return _used++;
    }

    private void LinkNewest(int slot)
    {
        (_entries[slot].Older, _entries[slot].Newer) = (_newest, None);
        if (_newest == None)
        {
            _oldest = slot;
        }
        else
        {
            _entries[_newest].Newer = slot;
        }

        _newest = slot;
    }

    private void Unlink(int slot)
    {
        (int older, int newer) = (_entries[slot].Older, _entries[slot].Newer);
        if (older == None)
        {
            _oldest = newer;
        }
        else
        {
            _entries[older].Newer = newer;
        }

        if (newer == None)
        {
            _newest = older;
        }
        else
        {
            _entries[newer].Older = older;
        }
    }

    private struct Entry
    {
        public ulong Tag;
        public long Number;
        public int Older;
        public int Newer;
    }
}
