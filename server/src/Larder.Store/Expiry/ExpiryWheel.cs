using System.Numerics;

namespace Larder.Store;

/// <summary>
/// A hierarchical timing wheel. Entries are in buckets by expiry time: near times in fine buckets, and far times in coarse buckets. Therefore, expired entries
/// are found without visiting other entries. When a coarse bucket becomes due, its entries move to finer buckets. The links are addresses in the entries'
/// headers. The first entry of a list has the list's number, marked by <see cref="ListMark"/>, as its previous link.
/// </summary>
internal sealed unsafe class ExpiryWheel(SegmentHeap heap)
{
    /// <summary>Marks a previous link that contains a list number instead of an entry's address. Addresses are smaller than this.</summary>
    public const uint ListMark = 0x8000_0000;

    private const int LevelBits = 6;
    private const int BucketsPerLevel = 1 << LevelBits;
    private const int Levels = 5;

    // A bucket of the finest level spans 128 ms. Its 64 buckets span 8 s. The next levels span 9 min, 9.3 h, 24.8 days and 4.3 years.
    private const int TickBits = 7;
    private const int Buckets = Levels * BucketsPerLevel;

    private readonly uint[] _heads = new uint[Buckets];

    // The lists of buckets that became due. They are emptied starting with the last list, a few entries at a time. Each advance of the clock adds at most one
    // list per bucket.
    private readonly List<uint> _due = [];
    private long _tick;

    public void Add(EntryHeader* entry, uint address)
    {
        int bucket = BucketOf(EntryHeader.GoneAtMs(entry));
        uint head = _heads[bucket];
        entry->WheelNext = head;
        entry->WheelPrevious = ListMark | (uint)bucket;
        if (head != 0)
        {
            heap.EntryAt(head)->WheelPrevious = address;
        }

        _heads[bucket] = address;
    }

    public void Remove(EntryHeader* entry) => Relink(entry, entry->WheelNext, entry->WheelPrevious);

    /// <summary>Replaces an entry in its list by a copy of the entry. Nothing else is changed.</summary>
    public void Move(EntryHeader* from, EntryHeader* to, uint toAddress)
    {
        to->WheelNext = from->WheelNext;
        to->WheelPrevious = from->WheelPrevious;
        if (from->WheelNext != 0)
        {
            heap.EntryAt(from->WheelNext)->WheelPrevious = toAddress;
        }

        SetNext(from->WheelPrevious, toAddress);
    }

    /// <summary>
    /// Finds one expired entry, locks it and unlinks it. Returns 0 if no expired entry is found. Visits at most <paramref name="budget"/> entries. An entry
    /// whose TTL was extended in place is found at its old time and added to the wheel again.
    /// </summary>
    public uint TakeExpired(long nowMs, ref int budget)
    {
        Advance(nowMs >> TickBits);
        while (_due.Count > 0)
        {
            uint address = _due[^1];
            if (address == 0)
            {
                _due.RemoveAt(_due.Count - 1);
                continue;
            }

            if (budget-- <= 0)
            {
                return 0;
            }

            EntryHeader* entry = heap.EntryAt(address);
            EntryHeader.Lock(entry);
            Remove(entry);
            if (EntryHeader.GoneAtMs(entry) <= nowMs)
            {
                return address;
            }

            Add(entry, address);
            EntryHeader.Unlock(entry);
        }

        return 0;
    }

    /// <summary>Throws if the links are inconsistent.</summary>
    /// <returns>The number of entries in the wheel.</returns>
    public long AssertValid()
    {
        long count = 0;
        for (int list = 0; list < Buckets + _due.Count; list++)
        {
            uint previous = ListMark | (uint)list;
            for (uint at = HeadOf(list); at != 0; previous = at, at = heap.EntryAt(at)->WheelNext)
            {
                Invariant.Holds(heap.EntryAt(at)->WheelPrevious == previous, "the wheel's links agree");
                Invariant.Holds(!heap.EntryAt(at)->Dead, "no removed entry hangs in the wheel");
                long goneAtMs = EntryHeader.GoneAtMs(heap.EntryAt(at));
                Invariant.Holds(list >= Buckets || DueTick(list) <= ExpiryTickOf(goneAtMs), "no entry hangs for later than it is gone");
                count++;
            }
        }

        return count;
    }

    private void Relink(EntryHeader* entry, uint next, uint previous)
    {
        if (next != 0)
        {
            heap.EntryAt(next)->WheelPrevious = previous;
        }

        SetNext(previous, next);
        entry->WheelNext = entry->WheelPrevious = 0;
    }

    private void SetNext(uint previous, uint next)
    {
        if ((previous & ListMark) == 0)
        {
            heap.EntryAt(previous)->WheelNext = next;
            return;
        }

        int list = (int)(previous & ~ListMark);
        if (list < Buckets)
        {
            _heads[list] = next;
        }
        else
        {
            _due[list - Buckets] = next;
        }
    }

    private uint HeadOf(int list) => list < Buckets ? _heads[list] : _due[list - Buckets];

    private void Advance(long tick)
    {
        long before = _tick;
        if (tick == before)
        {
            return;
        }

        _tick = tick;
        for (int level = 0; level < Levels; level++)
        {
            int shift = level * LevelBits;
            long from = before >> shift;
            long passed = Math.Min((tick >> shift) - from, BucketsPerLevel);
            if (passed == 0)
            {
                return;
            }

            // A bucket is due at the start of the time that it spans. Entries in it that have not expired are added to finer buckets.
            for (long i = 1; i <= passed; i++)
            {
                MakeDue((level * BucketsPerLevel) + (int)((from + i) & (BucketsPerLevel - 1)));
            }
        }
    }

    private void MakeDue(int bucket)
    {
        uint head = _heads[bucket];
        if (head == 0)
        {
            return;
        }

        heap.EntryAt(head)->WheelPrevious = ListMark | (uint)(Buckets + _due.Count);
        _due.Add(head);
        _heads[bucket] = 0;
    }

    // Returns one tick after the expiry, so that all entries of a finest bucket have expired when the bucket becomes due.
    private long ExpiryTickOf(long expiresAtMs) => Math.Max((expiresAtMs >> TickBits) + 1, _tick + 1);

    // Returns the tick at which a bucket becomes due next. A bucket at the current position has already been due in this round.
    private long DueTick(int bucket)
    {
        int shift = bucket / BucketsPerLevel * LevelBits;
        long position = _tick >> shift;
        long ahead = ((bucket - position - 1) & (BucketsPerLevel - 1)) + 1;
        return (position + ahead) << shift;
    }

    private int BucketOf(long expiresAtMs)
    {
        long due = ExpiryTickOf(expiresAtMs);
        int level = Math.Min(BitOperations.Log2((ulong)(due - _tick)) / LevelBits, Levels - 1);
        return (level * BucketsPerLevel) + (int)((due >> (level * LevelBits)) & (BucketsPerLevel - 1));
    }
}
