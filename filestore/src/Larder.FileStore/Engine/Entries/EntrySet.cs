using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Larder.FileStore.Engine;

/// <summary>
/// The in-memory table of entries. It is a hash table with open addressing and linear probing, at most three quarters full, with one writer and lock-free
/// readers. A key never changes its slot within one array. A removed key leaves a tombstone, which is dropped when the array is rebuilt.
/// </summary>
internal sealed class EntrySet(CacheClock clock)
{
    private const int SmallestCapacity = 64;

    private Slot[] _slots = new Slot[SmallestCapacity];
    private int _used;
    private int _victimHand;
    private long _nextSequence;

    /// <summary>Gets the array that readers search. It is replaced when the table grows and when it is cleared.</summary>
    internal Slot[] Slots => _slots;

    internal int Count { get; private set; }

    /// <summary>Gets the size of all entries in bytes, if each is written as a separate line of the file.</summary>
    internal long LiveBytes { get; private set; }

    internal ExpiryQueue Expiries { get; } = new();

    /// <summary>Returns the live entry or the tombstone of <paramref name="key"/> in <paramref name="slots"/>; null if the key is not in the array.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Entry? Lookup(Slot[] slots, string key)
    {
        int hash = KeyHash.Of(key);
        int at = hash;
        while (true)
        {
            ref Slot slot = ref slots[at & (slots.Length - 1)];
            Entry? entry = Volatile.Read(ref slot.Entry);
            if (entry is null || (slot.Hash == hash && KeyHash.Same(slot.Key, key)))
            {
                return entry;
            }
            at++;
        }
    }

    internal Entry? Find(string key)
    {
        Entry? entry = Lookup(_slots, key);
        return entry?.Value is null ? null : entry;
    }

    /// <summary>Creates the entry of a set operation, with its expiration converted to this process's clock.</summary>
    internal Entry Make(in Operation set) => Make(clock, set);

    internal static Entry Make(CacheClock clock, in Operation set)
    {
        int hash = KeyHash.Of(set.Key);
        Entry entry;
        if (set.SlidingMs > 0)
        {
            long capTick = set.CapMs == 0 ? Entry.Never : clock.TickOf(set.CapMs);
            entry = new SlidingEntry(set.Key, set.Value, hash, set.SlidingMs, set.CapMs, capTick, clock.TickOf(set.ExpiresMs));
        }
        else
        {
            entry = new Entry(set.Key, set.Value, hash);
            if (set.ExpiresMs != 0)
            {
                entry.ExpiryTick = clock.TickOf(set.ExpiresMs);
            }
        }
        entry.ExpiresMs = set.ExpiresMs;
        entry.RecordBytes = set.RecordBytes;
        return entry;
    }

    internal void Apply(in Operation operation)
    {
        switch (operation.Kind)
        {
            case OperationKind.Set: Put(Make(operation)); break;
            case OperationKind.Remove: Remove(operation.Key); break;
            case OperationKind.Clear: Clear(); break;
            case OperationKind.Touch: Touch(operation.Key, operation.ExpiresMs); break;
        }
    }

    internal void Put(Entry entry)
    {
        int at = SlotOf(entry.Key, entry.Hash);
        Entry? before = _slots[at];
        if (before is null)
        {
            _used++;
        }
        if (before?.Value is not null)
        {
            Forget(before);
        }
        entry.Sequence = IsAlive(before) ? before!.Sequence : _nextSequence++;
        Count++;
        LiveBytes += entry.RecordBytes;
        _slots[at].Put(entry);
        if (entry.Deadline != Entry.Never)
        {
            Expiries.Add(entry, Count, this);
        }
        if (_used > MaxUsedSlots(_slots.Length))
        {
            Rebuild();
        }
    }

    private bool IsAlive(Entry? entry) => entry?.Value is not null && (entry.Deadline == Entry.Never || entry.Deadline > clock.Tick);

    /// <summary>
    /// Returns the live entries of <paramref name="slots"/> in insertion order. Another thread may write at the same time. If that thread removes a key and
    /// sets it again, the result contains the old entry, the new entry, or neither of them.
    /// </summary>
    internal static Entry[] InOrder(Slot[] slots)
    {
        List<Entry> entries = [];
        for (int i = 0; i < slots.Length; i++)
        {
            if (Volatile.Read(ref slots[i].Entry) is { Value: not null } entry)
            {
                entries.Add(entry);
            }
        }
        Entry[] ordered = [.. entries];
        Array.Sort(Array.ConvertAll(ordered, entry => entry.Sequence), ordered);
        return ordered;
    }

    internal bool Remove(string key)
    {
        int at = SlotOf(key, KeyHash.Of(key));
        Entry? before = _slots[at];
        if (before?.Value is null)
        {
            return false;
        }
        Forget(before);
        _slots[at].Put(Entry.Removed(before));
        return true;
    }

    internal void Clear()
    {
        _slots = new Slot[SmallestCapacity];
        _used = 0;
        Count = 0;
        LiveBytes = 0;
        Expiries.Clear();
    }

    internal void Touch(string key, long expiresMs)
    {
        if (Find(key) is SlidingEntry sliding)
        {
            sliding.Written(clock.TickOf(expiresMs));
        }
    }

    /// <summary>Removes the expired entries and returns their number. This call is cheap if no entry has expired.</summary>
    internal int PurgeExpired()
    {
        if (!Expiries.MayHaveBefore(clock.AliveBefore))
        {
            return 0;
        }
        int purged = 0;
        long now = clock.Tick;
        while (Expiries.TryTakeExpired(now, this, out Entry? entry))
        {
            Remove(entry.Key);
            purged++;
        }
        return purged;
    }

    /// <summary>Returns whether <paramref name="entry"/> is still the current entry of its key.</summary>
    internal bool Holds(Entry entry) => ReferenceEquals(Lookup(_slots, entry.Key), entry);

    /// <summary>
    /// Chooses entries to evict so that at least <paramref name="bytes"/> are freed. Scans the slots and, of every 16 candidates, chooses the entry that
    /// expires first. Never chooses an entry for which <paramref name="spared"/> returns true.
    /// </summary>
    internal List<Entry> ChooseVictims(long bytes, Func<string, bool> spared)
    {
        List<Entry> victims = [];
        HashSet<Entry> chosen = [];
        for (long freed = 0; freed < bytes;)
        {
            Entry? victim = NextVictim(spared, chosen);
            if (victim is null)
            {
                break;
            }
            chosen.Add(victim);
            victims.Add(victim);
            freed += victim.RecordBytes;
        }
        return victims;
    }

    private Entry? NextVictim(Func<string, bool> spared, HashSet<Entry> chosen)
    {
        Entry? best = null;
        int seen = 0;
        for (int step = 0; step < _slots.Length && seen < 16; step++)
        {
            Entry? entry = _slots[_victimHand++ & (_slots.Length - 1)];
            if (entry?.Value is null || chosen.Contains(entry) || spared(entry.Key))
            {
                continue;
            }
            seen++;
            if (best is null || entry.Deadline < best.Deadline)
            {
                best = entry;
            }
        }
        return best;
    }

    /// <summary>Checks the invariants of the table. Used by tests.</summary>
    internal void AssertValid()
    {
        int used = 0, live = 0;
        long bytes = 0;
        foreach (Entry entry in _slots.Select(slot => slot.Entry).OfType<Entry>())
        {
            used++;
            Check(ReferenceEquals(Lookup(_slots, entry.Key), entry), "a key must be found in its own slot");
            if (entry.Value is not null)
            {
                live++;
                bytes += entry.RecordBytes;
            }
        }
        Check(used == _used && used <= MaxUsedSlots(_slots.Length), "at most three quarters of the slots may be used");
        Check(live == Count && bytes == LiveBytes, "the counters must match the slots");
        Check(BitOperations.IsPow2(_slots.Length), "the number of slots must be a power of two");
    }

    private static void Check(bool holds, string what)
    {
        if (!holds)
        {
            throw new UnreachableException("Broken invariant: " + what + ".");
        }
    }

    private void Forget(Entry before)
    {
        Count--;
        LiveBytes -= before.RecordBytes;
    }

    private int SlotOf(string key, int hash)
    {
        int mask = _slots.Length - 1;
        int at = hash & mask;
        while (_slots[at].Entry is not null && !(_slots[at].Hash == hash && KeyHash.Same(_slots[at].Key, key)))
        {
            at = (at + 1) & mask;
        }
        return at;
    }

    private static int MaxUsedSlots(int capacity) => capacity / 4 * 3;

    /// <summary>Moves the live entries to an array that is at most half full; drops the tombstones.</summary>
    private void Rebuild()
    {
        int capacity = Math.Max(SmallestCapacity, (int)BitOperations.RoundUpToPowerOf2((uint)Count * 2));
        Slot[] larger = new Slot[capacity];
        int mask = capacity - 1;
        foreach (Entry? entry in _slots)
        {
            if (entry?.Value is null)
            {
                continue;
            }
            int at = entry.Hash & mask;
            while (larger[at].Entry is not null)
            {
                at = (at + 1) & mask;
            }
            larger[at].Put(entry);
        }
        _used = Count;
        Volatile.Write(ref _slots, larger);
    }
}
