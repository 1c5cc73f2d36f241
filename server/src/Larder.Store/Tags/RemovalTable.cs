using System.Numerics;

namespace Larder.Store;

/// <summary>The tags that a cache remembers as removed, each with the number of its last removal. The table is a hash table whose entries also form a list from
/// the oldest removal to the newest. It consists of two arrays without references, and adding or removing tags allocates nothing. Therefore, garbage
/// collections do not scan it. With an object per tag, garbage collections would copy the newest tags repeatedly, and each copy would pause all calls for tens
/// of milliseconds.
/// <para>
/// All members require <see cref="Gate"/>, except <see cref="TryRead"/>. Each operation takes constant time, except when the arrays are resized.
/// </para>
/// </summary>
internal sealed class RemovalTable
{
    private const int None = -1;
    private const int MinLength = 16;

    // The number of attempts of a read without the lock. If the table has changed during each of them, the reader takes the lock.
    private const int Tries = 8;

    private Arrays _arrays = new(MinLength);

    // The version is odd while a change is in progress.
    private int _version;
    private int _used;
    private int _oldest = None;
    private int _newest = None;

    // The index of the first free entry below _used. Free entries are linked by Next.
    private int _free = None;

    /// <summary>The lock for changes.</summary>
    public Lock Gate { get; } = new();

    /// <summary>The number of tags.</summary>
    public int Count { get; private set; }

    /// <summary>Returns whether the table contains a tag.</summary>
    public bool Contains(ulong tag) => _arrays.Find(tag) != None;

    /// <summary>Records a removal of a tag as the newest one. Returns whether the tag was added.</summary>
    public bool Put(ulong tag, long number)
    {
        int found = _arrays.Find(tag);
        BeginChange();
        if (found != None)
        {
            Unlink(found);
        }

        int entry = found != None ? found : Add(tag);
        _arrays.Entries[entry].Number = number;
        LinkNewest(entry);
        EndChange();
        return found == None;
    }

    /// <summary>Gets the number of the oldest removal. Returns false if the table is empty.</summary>
    public bool TryPeekOldest(out long number)
    {
        number = _oldest == None ? 0 : _arrays.Entries[_oldest].Number;
        return _oldest != None;
    }

    /// <summary>Removes the oldest tag. The table must not be empty.</summary>
    public void RemoveOldest()
    {
        BeginChange();
        int entry = _oldest;
        Unlink(entry);
        Entry[] entries = _arrays.Entries;
        ref int link = ref _arrays.Bucket(entries[entry].Tag);
        while (link != entry)
        {
            link = ref entries[link].Next;
        }

        link = entries[entry].Next;
        entries[entry].Next = _free;
        _free = entry;
        Count--;

        // Shrink the arrays. Otherwise, a cache that gave most of its places to other caches would keep large arrays.
        if (entries.Length > MinLength && Count <= entries.Length / 4)
        {
            Resize(entries.Length / 2);
        }

        EndChange();
    }

    /// <summary>Removes all tags.</summary>
    public void Clear()
    {
        BeginChange();
        Volatile.Write(ref _arrays, new Arrays(MinLength));
        (_used, _oldest, _newest, _free, Count) = (0, None, None, None, 0);
        EndChange();
    }

    /// <summary>Gets the number of a tag's last removal. Returns false if the tag is unknown. Thread-safe.</summary>
    public bool TryRead(ulong tag, out long number)
    {
        for (int left = Tries; left > 0; left--)
        {
            int version = Volatile.Read(ref _version);
            if ((version & 1) == 0)
            {
                bool isFound = Volatile.Read(ref _arrays).TryRead(tag, out number);
                Volatile.ReadBarrier();
                if (version == _version)
                {
                    return isFound;
                }
            }
        }

        lock (Gate)
        {
            return _arrays.TryRead(tag, out number);
        }
    }

    private void BeginChange()
    {
        _version++;
        Volatile.WriteBarrier();
    }

    private void EndChange() => Volatile.Write(ref _version, _version + 1);

    private int Add(ulong tag)
    {
        int entry = _free;
        if (entry != None)
        {
            _free = _arrays.Entries[entry].Next;
        }
        else
        {
            if (_used == _arrays.Entries.Length)
            {
                Resize(_arrays.Entries.Length * 2);
            }

            entry = _used++;
        }

        Count++;
        _arrays.Entries[entry].Tag = tag;
        _arrays.Chain(entry);
        return entry;
    }

    // Copies the entries into new arrays, starting with the oldest.
    private void Resize(int length)
    {
        Arrays resized = new(length);
        int count = 0;
        for (int from = _oldest; from != None; from = _arrays.Entries[from].Newer)
        {
            resized.Entries[count] = _arrays.Entries[from] with { Older = count - 1, Newer = count + 1 };
            resized.Chain(count++);
        }

        (_used, _free, _oldest, _newest) = (count, None, count == 0 ? None : 0, count - 1);
        if (count > 0)
        {
            resized.Entries[count - 1].Newer = None;
        }

        Volatile.Write(ref _arrays, resized);
    }

    private void LinkNewest(int entry)
    {
        Entry[] entries = _arrays.Entries;
        (entries[entry].Older, entries[entry].Newer) = (_newest, None);
        if (_newest == None)
        {
            _oldest = entry;
        }
        else
        {
            entries[_newest].Newer = entry;
        }

        _newest = entry;
    }

    private void Unlink(int entry)
    {
        Entry[] entries = _arrays.Entries;
        (int older, int newer) = (entries[entry].Older, entries[entry].Newer);
        if (older == None)
        {
            _oldest = newer;
        }
        else
        {
            entries[older].Newer = newer;
        }

        if (newer == None)
        {
            _newest = older;
        }
        else
        {
            entries[newer].Older = older;
        }
    }

    private struct Entry
    {
        public ulong Tag;
        public long Number;
        public int Older;
        public int Newer;

        // The index of the next entry in the bucket's chain.
        public int Next;
    }

    // The number of buckets equals the number of entries, which is a power of two.
    private sealed class Arrays
    {
        private static readonly ulong s_factor = KeyHash.NewSeed() | 1;
        private readonly int[] _buckets;
        private readonly int _shift;

        public Arrays(int length)
        {
            _shift = 64 - BitOperations.Log2((uint)length);
            Entries = new Entry[length];
            _buckets = new int[length];
            _buckets.AsSpan().Fill(None);
        }

        public Entry[] Entries { get; }

        // Returns the bucket of a tag. Any client can compute the hash of a tag. Therefore, it is multiplied by a secret, so that an attacker cannot choose
        // tags that all have the same bucket.
        public ref int Bucket(ulong tag) => ref _buckets[(int)((tag * s_factor) >> _shift)];

        public void Chain(int entry)
        {
            ref int bucket = ref Bucket(Entries[entry].Tag);
            Entries[entry].Next = bucket;
            bucket = entry;
        }

        public int Find(ulong tag)
        {
            int entry = Bucket(tag);
            while (entry != None && Entries[entry].Tag != tag)
            {
                entry = Entries[entry].Next;
            }

            return entry;
        }

        // Reads the number of a tag without the lock. If another thread changes the table during the read, a chain may contain any entries and may even be
        // circular. Therefore, the number of steps is limited to the number of entries.
        public bool TryRead(ulong tag, out long number)
        {
            int entry = Bucket(tag);
            for (int left = Entries.Length; entry != None && left > 0; left--)
            {
                ref Entry here = ref Entries[entry];
                if (here.Tag == tag)
                {
                    number = here.Number;
                    return true;
                }

                entry = here.Next;
            }

            number = 0;
            return false;
        }
    }
}
