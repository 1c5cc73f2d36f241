using System.Runtime.CompilerServices;

namespace Larder.Store;

/// <summary>
/// One shard's memory for entries: segments of one size, and one segment of its own for each entry too large for those. An address is
/// a segment's number and an offset, in units of 4 bytes. All but <see cref="EntryAt"/> is called under the shard's lock.
/// </summary>
internal sealed unsafe class SegmentHeap : IDisposable
{
    private const int MinSegmentBytes = 16 << 10;
    private const int MaxSegmentBytes = 1 << 20;

    // So that a queue's end is fine-grained: a tenth of the shard is a dozen segments.
    private const int SegmentsPerShard = 128;

    // An entry over this part of a segment gets its own: a sealed segment wastes at most this much at its end.
    private const int SingleFraction = 8;
    private const uint UnitBytes = EntryHeader.Alignment;

    private readonly int _unitBits;
    private readonly uint _offsetMask;
    private readonly byte** _bases;
    private readonly nuint _basesBytes;
    private readonly Stack<int> _unused = new();
    private readonly Stack<int> _pool = new();
    private readonly Queue<int> _retired = new();
    private readonly Epochs _epochs;
    private readonly bool _poison;
    private Segment[] _segments = new Segment[16];
    private int _numbered = 1;
    private int _leastPooled;

    public SegmentHeap(long shardBytes, Epochs epochs, bool poison)
    {
        _epochs = epochs;
        _poison = poison;
        SegmentBytes = SegmentBytesFor(shardBytes);
        _unitBits = System.Numerics.BitOperations.Log2((uint)SegmentBytes / UnitBytes);
        _offsetMask = (1u << _unitBits) - 1;
        long wanted = (shardBytes / SegmentBytes * (SingleFraction + 1)) + 16;
        MaxSegments = (int)Math.Min(wanted, ExpiryWheel.ListMark >> _unitBits);
        _basesBytes = (nuint)(MaxSegments * sizeof(byte*));
        _bases = (byte**)NativePages.Allocate(_basesBytes);
    }

    /// <summary>Size of a shared segment, in bytes: a power of two.</summary>
    public int SegmentBytes { get; }

    public int MaxSegments { get; }

    /// <summary>Entries over this have a segment of their own.</summary>
    public int MaxSharedEntryBytes => SegmentBytes / SingleFraction;

    /// <summary>All memory held for segments, in bytes: in use, pooled and retired.</summary>
    public long HeldBytes { get; private set; }

    /// <summary>Part of <see cref="HeldBytes"/> ready to be opened.</summary>
    public int Pooled => _pool.Count;

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

    /// <summary>An empty segment of the usual size, from the pool or the operating system.</summary>
    public int TakeShared()
    {
        if (_pool.TryPop(out int segment))
        {
            IdleBytes -= SegmentBytes;
            _leastPooled = Math.Min(_leastPooled, _pool.Count);
        }
        else
        {
            segment = Allocate(SegmentBytes);
        }

        _segments[segment] = new Segment { CapacityBytes = SegmentBytes, State = SegmentState.Open };
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

    /// <summary>Whether a number is left for another segment.</summary>
    public bool HasNumber => _unused.Count > 0 || _numbered < MaxSegments;

    /// <summary>Gives a segment without live entries back, once its last readers have left.</summary>
    public void Retire(int segment)
    {
        _segments[segment].State = SegmentState.Retired;
        _segments[segment].RetiredIn = _epochs.Now;
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

    /// <summary>Returns a pooled segment's memory to the operating system.</summary>
    public void ReleasePooled()
    {
        Release(_pool.Pop());
        _leastPooled = Math.Min(_leastPooled, _pool.Count);
    }

    /// <summary>Returns to the operating system, a few at a time, what stayed in the pool since the last call: the peak of a moment is not held for ever.</summary>
    public void ReleaseUnused()
    {
        // Each takes about 0.1 ms to give back, with the shard locked.
        const int MaxAtOnce = 8;
        for (int left = Math.Min(_leastPooled, MaxAtOnce); left > 0; left--)
        {
            Release(_pool.Pop());
        }

        _leastPooled = _pool.Count;
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

    private int Allocate(int bytes)
    {
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
            _pool.Push(segment);
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
