using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>
/// One shard's memory for entries: shared segments, of the usual size or, while the shard holds little, of a smaller one; and one segment of
/// its own for each entry too large for those. An address is a segment's number and an offset, in units of 4 bytes. All but
/// <see cref="EntryAt"/> is called under the shard's lock.
/// </summary>
internal sealed unsafe class SegmentHeap : IDisposable
{
    // While a shard holds fewer bytes than this many segments of the usual size have, it opens small ones.
    private const int FewSegments = 8;

    // Segments taken back from readers by one call: to give one of 1 MiB back to the system takes up to 1 ms, with the shard locked.
    private const int ReclaimAtMost = 4;

    private const uint UnitBytes = EntryHeader.Alignment;

    private readonly SegmentPlan _plan;
    private readonly PageRegions _pages;
    private readonly int _unitBits;
    private readonly uint _offsetMask;
    private readonly byte** _bases;
    private readonly Stack<int> _unused = new();
    private readonly SegmentPool _pool = new();
    private readonly SegmentPool _smallPool = new();
    private readonly Queue<int> _retired = new();
    private readonly Epochs _epochs;
    private readonly bool _poison;
    private Segment[] _segments = new Segment[16];
    private int _numbered = 1;

    public SegmentHeap(SegmentPlan plan, PageRegions pages, Epochs epochs, bool poison)
    {
        _plan = plan;
        _pages = pages;
        _epochs = epochs;
        _poison = poison;
        _unitBits = plan.UnitBits;
        _offsetMask = (1u << _unitBits) - 1;
        _bases = (byte**)pages.Allocate(TableBytes);
    }

    /// <summary>Usual size of a shared segment, in bytes: a power of two.</summary>
    public int SegmentBytes => _plan.SegmentBytes;

    /// <summary>Size of a shared segment while the shard holds little, in bytes: a power of two.</summary>
    public int SmallSegmentBytes => _plan.SmallSegmentBytes;

    public int MaxSegments => _plan.MaxSegments;

    /// <summary>Entries over this have a segment of their own.</summary>
    public int MaxSharedEntryBytes => SegmentBytes / _plan.SingleFraction;

    /// <summary>Entries over this would waste much at a small segment's end.</summary>
    public int MaxSmallEntryBytes => SmallSegmentBytes / _plan.SingleFraction;

    /// <summary>Memory of the table of segments, in bytes.</summary>
    public long TableBytes => MaxSegments * sizeof(byte*);

    /// <summary>All memory held for segments, in bytes: in use, pooled and retired.</summary>
    public long HeldBytes { get; private set; }

    /// <summary>Segments of the usual size ready to be opened.</summary>
    public int Pooled => _pool.Count;

    /// <summary>Whether small segments are pooled.</summary>
    public bool HasSmallPooled => _smallPool.Count > 0;

    /// <summary>Whether <see cref="ReleasePooled"/> has something to give back.</summary>
    public bool HasPooled => _pool.Count > 0 || HasSmallPooled;

    /// <summary>Part of <see cref="HeldBytes"/> that is pooled or retired.</summary>
    public long IdleBytes { get; private set; }

    /// <summary>Segments waiting for their last readers.</summary>
    public int Retired => _retired.Count;

    /// <summary>Part of <see cref="HeldBytes"/> that waits for readers to leave.</summary>
    public long RetiredBytes { get; private set; }

    /// <summary>Whether the system refused a shared segment, and has not been seen to give one since: <see cref="AskAgain"/>.</summary>
    public bool Refused { get; private set; }

    /// <summary>Numbers given out so far; segments are 1 to this, less 1.</summary>
    public int Numbered => _numbered;

    public ref Segment this[int segment] => ref _segments[segment];

    public static int SegmentBytesFor(long shardBytes) => SegmentPlan.SegmentBytesFor(shardBytes);

    /// <summary>The entry at an address that was found under the lock, or inside an epoch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public EntryHeader* EntryAt(uint address) => (EntryHeader*)(_bases[address >> _unitBits] + ((nuint)(address & _offsetMask) * UnitBytes));

    /// <summary>The queue of an address that was found inside an epoch, as of a moment ago.</summary>
    public QueueKind QueueNear(uint address)
    {
        Segment[] segments = Volatile.Read(ref _segments);
        int number = SegmentOf(address);
        return number < segments.Length ? segments[number].Queue : QueueKind.Small;
    }

    public int SegmentOf(uint address) => (int)(address >> _unitBits);

    public uint AddressOf(int segment, int offset) => ((uint)segment << _unitBits) | ((uint)offset / UnitBytes);

    public EntryHeader* EntryIn(int segment, int offset) => (EntryHeader*)(_bases[segment] + offset);

    /// <summary>Size of the shared segment to open next in a shard that holds so many bytes of live entries.</summary>
    public int SizeToOpen(long liveBytes) => liveBytes < (long)FewSegments * SegmentBytes ? SmallSegmentBytes : SegmentBytes;

    /// <summary>An empty shared segment of one of the two sizes: used before, or else from the operating system.</summary>
    /// <returns>Its number, or 0 where the system refuses the memory or no number is left.</returns>
    public int TakeShared(int bytes)
    {
        SegmentPool pool = PoolOf(bytes);
        if (pool.Count == 0)
        {
            // What waits for readers that have left by now is as good as new memory, and resident already.
            Reclaim(advance: true);
        }

        if (pool.TryTake(out int segment))
        {
            IdleBytes -= bytes;
        }
        else if ((segment = Allocate(bytes)) == 0)
        {
            Refused = NumbersLeft > 0;
            return 0;
        }

        _segments[segment] = new Segment { CapacityBytes = bytes, State = SegmentState.Open };
        return segment;
    }

    /// <summary>An empty segment for one entry of this size.</summary>
    /// <returns>Its number, or 0 where the system refuses the memory or no number is left.</returns>
    public int TakeSingle(int bytes)
    {
        int capacity = PagesOf(bytes);
        int segment = Allocate(capacity);
        if (segment != 0)
        {
            _segments[segment] = new Segment { CapacityBytes = capacity, State = SegmentState.Sealed, Single = true };
        }

        return segment;
    }

    /// <summary>Where the system refused a segment, asks it for one; what it gives is kept for the next to be opened.</summary>
    public void AskAgain()
    {
        if (Refused && NumbersLeft > 0 && Allocate(SegmentBytes) is var segment && segment != 0)
        {
            Refused = false;
            _segments[segment] = new Segment { CapacityBytes = SegmentBytes, State = SegmentState.Pooled };
            IdleBytes += SegmentBytes;
            _pool.Add(segment);
        }
    }

    /// <summary>Segments that there are numbers for beyond those that are held.</summary>
    public int NumbersLeft => _unused.Count + MaxSegments - _numbered;

    /// <summary>Gives a segment without live entries back, once its last readers have left.</summary>
    public void Retire(int segment)
    {
        _segments[segment].State = SegmentState.Retired;
        _segments[segment].RetiredIn = _epochs.Unlinked();
        _retired.Enqueue(segment);
        IdleBytes += _segments[segment].CapacityBytes;
        RetiredBytes += _segments[segment].CapacityBytes;
    }

    /// <summary>Takes back retired segments that no reader can be in: a few of them.</summary>
    /// <param name="advance">Whether to begin a new epoch where the present one keeps them.</param>
    public void Reclaim(bool advance)
    {
        for (int left = ReclaimAtMost; left > 0 && _retired.TryPeek(out int segment);)
        {
            if (_segments[segment].RetiredIn > _epochs.Safe)
            {
                if (!advance)
                {
                    return;
                }

                advance = false;
                _epochs.Advance();
                continue;
            }

            _retired.Dequeue();
            RetiredBytes -= _segments[segment].CapacityBytes;
            Recycle(segment);
            left--;
        }
    }

    /// <summary>Returns a pooled segment's memory to the operating system: a small one's, if there is one.</summary>
    public void ReleasePooled()
    {
        if (_smallPool.TryTake(out int segment) || _pool.TryTake(out segment))
        {
            Release(segment);
        }
    }

    /// <summary>
    /// Takes, one of each size at a time, what stayed pooled since it last returned false: the peak of a moment is not held for ever. The memory is the
    /// caller's to give back, without the shard's lock: it takes up to 1 ms.
    /// </summary>
    /// <returns>Whether there is more.</returns>
    public bool TakeUnused(List<PageBlock> taken)
    {
        bool more = false;
        foreach (SegmentPool pool in (ReadOnlySpan<SegmentPool>)[_pool, _smallPool])
        {
            if (pool.Unused > 0 && pool.TryTake(out int segment))
            {
                pool.TakenUnused();
                taken.Add(Detach(segment));
            }

            more |= pool.Unused > 0;
        }

        if (!more)
        {
            _pool.BeginWatch();
            _smallPool.BeginWatch();
        }

        return more;
    }

    public static int PagesOf(int bytes) => (bytes + Environment.SystemPageSize - 1) & ~(Environment.SystemPageSize - 1);

    public void Dispose()
    {
        for (int segment = 1; segment < _numbered; segment++)
        {
            if (_segments[segment].State != SegmentState.Unused)
            {
                _pages.Free(_bases[segment], _segments[segment].CapacityBytes);
            }
        }

        _pages.Free((byte*)_bases, TableBytes);
    }

    private SegmentPool PoolOf(int bytes) => bytes == SegmentBytes ? _pool : _smallPool;

    // Memory first: a number is given out only with memory behind it.
    private int Allocate(int bytes)
    {
        if (NumbersLeft == 0)
        {
            return 0;
        }

        byte* memory = _pages.TryAllocate(bytes);
        if (memory == null)
        {
            return 0;
        }

        int segment = _unused.TryPop(out int unused) ? unused : _numbered++;
        if (segment == _segments.Length)
        {
            Array.Resize(ref _segments, segment * 2);
        }

        _bases[segment] = memory;
        HeldBytes += bytes;
        return segment;
    }

    private void Recycle(int segment)
    {
        if (_poison)
        {
            new Span<byte>(_bases[segment], _segments[segment].CapacityBytes).Fill(0xDB);
        }

        if (_segments[segment].Single)
        {
            Release(segment);
        }
        else
        {
            _segments[segment].State = SegmentState.Pooled;
            PoolOf(_segments[segment].CapacityBytes).Add(segment);
        }
    }

    private void Release(int segment) => Detach(segment).Free(_pages);

    private PageBlock Detach(int segment)
    {
        PageBlock memory = new(_bases[segment], _segments[segment].CapacityBytes);
        HeldBytes -= memory.Bytes;
        IdleBytes -= memory.Bytes;
        _segments[segment] = default;
        _unused.Push(segment);
        return memory;
    }
}
