using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>
/// The memory of one shard for entries. Shared segments have the regular size, or a smaller size while the shard contains little data. Each entry that is too
/// large for a shared segment gets its own segment. An address consists of a segment number and an offset in units of 4 bytes. All members except
/// <see cref="EntryAt"/> and <see cref="QueueNear"/> require the shard's lock.
/// </summary>
internal sealed unsafe class SegmentHeap : IDisposable
{
    // A shard opens small segments while its live entries have fewer bytes than this number of regular segments.
    private const int FewSegments = 8;

    // The maximum number of retired segments reclaimed per call. It is limited because releasing a segment of 1 MiB takes up to 1 ms while the shard is locked.
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

    /// <summary>The regular size of a shared segment, in bytes: a power of two.</summary>
    public int SegmentBytes => _plan.SegmentBytes;

    /// <summary>The size of a shared segment while the shard contains little data, in bytes: a power of two.</summary>
    public int SmallSegmentBytes => _plan.SmallSegmentBytes;

    public int MaxSegments => _plan.MaxSegments;

    /// <summary>The maximum size of an entry in a shared segment. Larger entries get their own segment.</summary>
    public int MaxSharedEntryBytes => SegmentBytes / _plan.SingleFraction;

    /// <summary>The maximum size of an entry in a small segment. Larger entries would leave too much unused space at the end of the segment.</summary>
    public int MaxSmallEntryBytes => SmallSegmentBytes / _plan.SingleFraction;

    /// <summary>The memory of the segment table, in bytes.</summary>
    public long TableBytes => MaxSegments * sizeof(byte*);

    /// <summary>The memory of all segments, in bytes. This includes pooled and retired segments.</summary>
    public long HeldBytes { get; private set; }

    /// <summary>The number of pooled segments of the regular size.</summary>
    public int Pooled => _pool.Count;

    /// <summary>Whether small segments are pooled.</summary>
    public bool HasSmallPooled => _smallPool.Count > 0;

    /// <summary>Whether <see cref="ReleasePooled"/> can release a segment.</summary>
    public bool HasPooled => _pool.Count > 0 || HasSmallPooled;

    /// <summary>The part of <see cref="HeldBytes"/> that is pooled or retired.</summary>
    public long IdleBytes { get; private set; }

    /// <summary>The number of retired segments, which readers may still access.</summary>
    public int Retired => _retired.Count;

    /// <summary>The part of <see cref="HeldBytes"/> in retired segments, which readers may still access.</summary>
    public long RetiredBytes { get; private set; }

    /// <summary>Whether the operating system has refused the last request for a shared segment (see <see cref="AskAgain"/>).</summary>
    public bool Refused { get; private set; }

    /// <summary>One more than the highest segment number so far. Numbers start at 1.</summary>
    public int Numbered => _numbered;

    public ref Segment this[int segment] => ref _segments[segment];

    public static int SegmentBytesFor(long shardBytes) => SegmentPlan.SegmentBytesFor(shardBytes);

    /// <summary>Returns the entry at an address, which must have been found while the lock was held or within the current epoch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public EntryHeader* EntryAt(uint address) => (EntryHeader*)(_bases[address >> _unitBits] + ((nuint)(address & _offsetMask) * UnitBytes));

    /// <summary>Returns the queue of an address that was found within the current epoch. The result may be slightly outdated.</summary>
    public QueueKind QueueNear(uint address)
    {
        Segment[] segments = Volatile.Read(ref _segments);
        int number = SegmentOf(address);
        return number < segments.Length ? segments[number].Queue : QueueKind.Small;
    }

    public int SegmentOf(uint address) => (int)(address >> _unitBits);

    public uint AddressOf(int segment, int offset) => ((uint)segment << _unitBits) | ((uint)offset / UnitBytes);

    public EntryHeader* EntryIn(int segment, int offset) => (EntryHeader*)(_bases[segment] + offset);

    /// <summary>Returns the size of the next shared segment for a shard with this many bytes of live entries.</summary>
    public int SizeToOpen(long liveBytes) => liveBytes < (long)FewSegments * SegmentBytes ? SmallSegmentBytes : SegmentBytes;

    /// <summary>Returns an empty shared segment of one of the two sizes. Uses a pooled segment if there is one; otherwise allocates a new segment.</summary>
    /// <returns>The number of the segment; 0 if the operating system refuses the memory or no number is left.</returns>
    public int TakeShared(int bytes)
    {
        SegmentPool pool = PoolOf(bytes);
        if (pool.Count == 0)
        {
            // Retired segments that no longer have readers can be used instead of new memory, and they are already resident.
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

    /// <summary>Returns an empty segment for one entry of this size.</summary>
    /// <returns>The number of the segment; 0 if the operating system refuses the memory or no number is left.</returns>
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

    /// <summary>Retries an allocation that the operating system has refused. The new segment is pooled.</summary>
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

    /// <summary>The number of segments that can still be created before all segment numbers are in use.</summary>
    public int NumbersLeft => _unused.Count + MaxSegments - _numbered;

    /// <summary>Retires a segment without live entries. Its memory is freed after its last readers have left.</summary>
    public void Retire(int segment)
    {
        _segments[segment].State = SegmentState.Retired;
        _segments[segment].RetiredIn = _epochs.Unlinked();
        _retired.Enqueue(segment);
        IdleBytes += _segments[segment].CapacityBytes;
        RetiredBytes += _segments[segment].CapacityBytes;
    }

    /// <summary>Reclaims a few retired segments that no longer have readers.</summary>
    /// <param name="advance">Whether to start a new epoch if the current one prevents reclaim.</param>
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

    /// <summary>Releases the memory of one pooled segment to the operating system, small segments first.</summary>
    public void ReleasePooled()
    {
        if (_smallPool.TryTake(out int segment) || _pool.TryTake(out segment))
        {
            Release(segment);
        }
    }

    /// <summary>
    /// Removes segments from the pools if they have not been needed since this method last returned false. Otherwise, the memory of a temporary peak would stay
    /// allocated forever. At most one segment of each size is removed per call. The caller must free the memory without holding the shard's lock, because this
    /// takes up to 1 ms.
    /// </summary>
    /// <returns>True if more segments must be removed.</returns>
    public bool TakeUnused(List<PageBlock> taken)
    {
        bool more = false;
        foreach (SegmentPool pool in (ReadOnlySpan<SegmentPool>)[_pool, _smallPool])
        {
            if (pool.Unused > 0 && pool.TryTake(out int segment))
            {
                pool.OnUnusedTaken();
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

    // Allocates a segment. The memory is allocated before the number, so that every number in use has memory.
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
