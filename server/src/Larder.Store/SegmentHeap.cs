using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>
/// One shard's memory for entries: shared segments, of the usual size or, while the shard holds little, of a smaller one; and one segment of
/// its own for each entry too large for those. An address is a segment's number and an offset, in units of 4 bytes. All but
/// <see cref="EntryAt"/> is called under the shard's lock.
/// </summary>
internal sealed unsafe class SegmentHeap : IDisposable
{
    /// <summary>An entry over this part of a segment gets its own: a sealed segment wastes at most this much at its end.</summary>
    public const int SingleFraction = 8;

    private const int MinSegmentBytes = 16 << 10;
    private const int MaxSegmentBytes = 1 << 20;

    // So that a queue's end is fine-grained: a tenth of the shard is a dozen segments.
    private const int SegmentsPerShard = 128;


    // A small segment's part of the usual size. Not less, so that there are numbers for as many as the memory holds.
    private const int SmallFraction = 8;

    // While a shard holds fewer bytes than this many segments of the usual size have, it opens small ones.
    private const int FewSegments = 8;

    private const uint UnitBytes = EntryHeader.Alignment;

    private readonly int _unitBits;
    private readonly uint _offsetMask;
    private readonly byte** _bases;
    private readonly nuint _basesBytes;
    private readonly Stack<int> _unused = new();
    private readonly SegmentPool _pool = new();
    private readonly SegmentPool _smallPool = new();
    private readonly Queue<int> _retired = new();
    private readonly Epochs _epochs;
    private readonly bool _poison;
    private Segment[] _segments = new Segment[16];
    private int _numbered = 1;

    public SegmentHeap(long shardBytes, Epochs epochs, bool poison)
    {
        _epochs = epochs;
        _poison = poison;
        SegmentBytes = SegmentBytesFor(shardBytes);
        SmallSegmentBytes = Math.Max(SegmentBytes / SmallFraction, MinSegmentBytes);
        _unitBits = System.Numerics.BitOperations.Log2((uint)SegmentBytes / UnitBytes);
        _offsetMask = (1u << _unitBits) - 1;
        long wanted = (shardBytes / SegmentBytes * (SingleFraction + 1)) + 16;
        MaxSegments = (int)Math.Min(wanted, ExpiryWheel.ListMark >> _unitBits);
        _basesBytes = (nuint)(MaxSegments * sizeof(byte*));
        _bases = (byte**)NativePages.Allocate(_basesBytes);
    }

    /// <summary>Usual size of a shared segment, in bytes: a power of two.</summary>
    public int SegmentBytes { get; }

    /// <summary>Size of a shared segment while the shard holds little, in bytes: a power of two.</summary>
    public int SmallSegmentBytes { get; }

    public int MaxSegments { get; }

    /// <summary>Entries over this have a segment of their own.</summary>
    public int MaxSharedEntryBytes => SegmentBytes / SingleFraction;

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

    /// <summary>Numbers given out so far; segments are 1 to this, less 1.</summary>
    public int Numbered => _numbered;

    public ref Segment this[int segment] => ref _segments[segment];

    public static int SegmentBytesFor(long shardBytes) =>
        1 << System.Numerics.BitOperations.Log2((uint)Math.Clamp(shardBytes / SegmentsPerShard, MinSegmentBytes, MaxSegmentBytes));

    /// <summary>The entry at an address that was found under the lock, or inside an epoch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public EntryHeader* EntryAt(uint address) => (EntryHeader*)(_bases[address >> _unitBits] + ((nuint)(address & _offsetMask) * UnitBytes));

    public int SegmentOf(uint address) => (int)(address >> _unitBits);

    public uint AddressOf(int segment, int offset) => ((uint)segment << _unitBits) | ((uint)offset / UnitBytes);

    public EntryHeader* EntryIn(int segment, int offset) => (EntryHeader*)(_bases[segment] + offset);

    /// <summary>Size of the shared segment to open next in a shard that holds so many bytes of live entries.</summary>
    public int SizeToOpen(long liveBytes) => liveBytes < (long)FewSegments * SegmentBytes ? SmallSegmentBytes : SegmentBytes;

    /// <summary>An empty shared segment of one of the two sizes: used before, or else from the operating system.</summary>
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
        else
        {
            segment = Allocate(bytes);
        }

        _segments[segment] = new Segment { CapacityBytes = bytes, State = SegmentState.Open };
        return segment;
    }

    /// <summary>An empty segment for one entry of this size.</summary>
    public int TakeSingle(int bytes)
    {
        int capacity = PagesOf(bytes);
        int segment = Allocate(capacity);
        _segments[segment] = new Segment { CapacityBytes = capacity, State = SegmentState.Sealed, Single = true };
        return segment;
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
    }

    /// <summary>Takes back retired segments that no reader can be in.</summary>
    /// <param name="advance">Whether to begin a new epoch where the present one keeps them.</param>
    public void Reclaim(bool advance)
    {
        while (_retired.TryPeek(out int segment))
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
            Recycle(segment);
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

    /// <summary>Returns to the operating system, a few at a time, what stayed pooled since the last call: the peak of a moment is not held for ever.</summary>
    public void ReleaseUnused()
    {
        // Each takes about 0.1 ms to give back, with the shard locked.
        const int MaxAtOnce = 8;
        foreach (SegmentPool pool in (ReadOnlySpan<SegmentPool>)[_pool, _smallPool])
        {
            for (int left = Math.Min(pool.Unused, MaxAtOnce); left > 0 && pool.TryTake(out int segment); left--)
            {
                Release(segment);
            }

            pool.BeginWatch();
        }
    }

    public static int PagesOf(int bytes) => (bytes + Environment.SystemPageSize - 1) & ~(Environment.SystemPageSize - 1);

    public void Dispose()
    {
        for (int segment = 1; segment < _numbered; segment++)
        {
            if (_segments[segment].State != SegmentState.Unused)
            {
                NativePages.Free(_bases[segment], (nuint)_segments[segment].CapacityBytes);
            }
        }

        NativePages.Free((byte*)_bases, _basesBytes);
    }

    private SegmentPool PoolOf(int bytes) => bytes == SegmentBytes ? _pool : _smallPool;

    private int Allocate(int bytes)
    {
        Invariant.Holds(NumbersLeft > 0, "no more segments than there are numbers for");
        int segment = _unused.TryPop(out int unused) ? unused : _numbered++;
        if (segment == _segments.Length)
        {
            Array.Resize(ref _segments, segment * 2);
        }

        _bases[segment] = NativePages.Allocate((nuint)bytes);
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

    private void Release(int segment)
    {
        NativePages.Free(_bases[segment], (nuint)_segments[segment].CapacityBytes);
        HeldBytes -= _segments[segment].CapacityBytes;
        IdleBytes -= _segments[segment].CapacityBytes;
        _segments[segment] = default;
        _unused.Push(segment);
    }
}
