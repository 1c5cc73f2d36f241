namespace Larder.Store;

/// <summary>
/// Frees memory for a write before the write begins. The work is done in steps of limited size. The lock is held during a step, and other threads can take it
/// between steps. Memory is freed in this order: flushed entries are swept (Shard.Sweep.cs), dead space is compacted, and only then live entries are evicted
/// (Shard.Eviction.cs). Freed memory counts as free even while readers may still access it. Because of this, the memory limit may be exceeded temporarily, by
/// up to a reserve. If more than the reserve would be needed, the write waits a limited time for the readers instead of evicting more entries.
/// </summary>
internal sealed unsafe partial class Shard
{
    // The number of segments to keep available: one for each of the two queues that are written, one that is being emptied, and one that readers may still
    // access.
    private const int LowWater = 4;

    // The maximum number of segments that are released in one step. Releasing a segment takes up to 1 ms. One call of SegmentHeap.Reclaim reclaims at most the
    // same number of segments.
    private const int ReleaseAtMost = 4;

    // The number of segments that a write needs: one for the entry itself, and one for the entries of the victim that are kept.
    private const int SegmentsPerWrite = 2;

    // The maximum number of expired entries that one write removes before it frees other memory.
    private const int ExpiryBudgetPerWrite = 16;

    // The number of bytes of the victim that a write walks for each byte that it adds. The write walks MinWalkedBytes more. The sum is doubled for each segment
    // that would have to be freed to reach the low-water mark.
    private const int WalkPerByte = 3;
    private const int MinWalkedBytes = 512;

    // The maximum number of entries walked per write, unless no memory is left.
    private const int WalkAtMostEntries = 128;

    // The size of one step of a write if no memory is left. A step locks the shard for about 0.1 ms.
    private const int StepEntries = 256;
    private const int StepBytes = 256 << 10;

    // The maximum number of steps of a write. After this many steps, the write exceeds the memory limit. With this number of steps, a write can walk through a
    // shard of 64 MiB several times. Several walks may be needed, because each walk reduces the number of hits of an entry by only one.
    private const int MaxSteps = 10_000;

    // The maximum number of waits for readers. The first ten waits only yield to other threads. The others take 1 ms each, so all waits take about 0.1 s.
    private const int MaxWaits = 100;
    private const int ShortWaits = 10;

    // The reserve as a fraction of the shard's memory. Freed memory that readers may still access may exceed the limit by this much.
    private const int ReserveFraction = 16;

    // The number of bytes that are reserved for writes that need memory outside the shared segments and free it in several steps. The reservation prevents
    // other writes from using the freed memory between the steps.
    private long _reservedForSingles;

    // The number of entries visited since the lock was last acquired, for example by a sweep or by eviction. The second field is the maximum of this number.
    private long _work;
    private long _mostWork;

    private enum Room
    {
        /// <summary>The step failed with an exception.</summary>
        Failed,

        /// <summary>The entry can be appended.</summary>
        Made,

        /// <summary>Another step is needed.</summary>
        More,

        /// <summary>Enough memory was freed, but readers may still access it.</summary>
        WaitsForReaders,
    }

    /// <summary>The maximum number of entries that were visited without releasing the lock.</summary>
    public long MaxWork => Volatile.Read(ref _mostWork);

    private long HeldBytes => _heap.HeldBytes + _blocks.HeldBytes + _tableBytes;

    private long LiveBytes => _queues[0].LiveBytes + _queues[1].LiveBytes + _queues[2].LiveBytes;

    private long ReserveBytes => _maxBytes / ReserveFraction;

    /// <summary>
    /// Frees memory for an entry of this size, and for <paramref name="others"/> bytes of other memory. Then takes the lock. When this method returns, entries
    /// may have been moved or evicted, and the index may have been replaced.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The store is disposed. The lock is not held.</exception>
    private void EnterWithSpace(int size, long others = 0)
    {
        var request = new SpaceRequest(size, others + (size > _heap.MaxSharedEntryBytes ? SegmentHeap.PagesOf(size) : 0));
        Room room = TryEnter(ref request);
        while (room != Room.Made)
        {
            if (room == Room.WaitsForReaders)
            {
                Thread.Sleep(request.Waits++ < ShortWaits ? 0 : 1);
            }
            else
            {
                _ = _waiting.YieldToWrites(sleeps: 0);
            }

            room = TryEnter(ref request);
        }
    }

    private Room TryEnter(ref SpaceRequest request)
    {
        _waiting.Enter();
        Room room = Room.Failed;
        try
        {
            _work = 0;
            room = MakeRoom(request);
            return room;
        }
        finally
        {
            _mostWork = Math.Max(_mostWork, _work);
            bool again = room is Room.More or Room.WaitsForReaders;
            if (again != (request.Step > 0))
            {
                _reservedForSingles += again ? request.SingleBytes : -request.SingleBytes;
            }

            request.Step++;
            if (room != Room.Made)
            {
                _lock.Exit();
            }
        }
    }

    private Room MakeRoom(in SpaceRequest request)
    {
        ObjectDisposedException.ThrowIf(_closed, typeof(CacheStore));
        ReclaimExpired(_parts.Clock.NowMs, ExpiryBudgetPerWrite);
        if (!EnsureIndexCapacity())
        {
            return !IsNearlyEmpty && FreeMore(request) ? Room.More : throw PageRegions.Refused(IndexTable.BytesFor(Index->Groups));
        }

        KeepToLimit();
        Room room = request.SingleBytes > 0 ? MakeSingleSpace(request) : Room.Made;
        return room == Room.Made ? MakeSharedSpace(request) : room;
    }

    /// <summary>
    /// Frees memory in shared segments. Walks through more bytes of the victim than the write needs, and through even more if memory is low. While a sweep is
    /// running, live entries are evicted only if too few segments are available for a write. In that case, it would take several milliseconds to sweep until
    /// enough segments are available.
    /// </summary>
    private Room MakeSharedSpace(in SpaceRequest request)
    {
        int spare = SegmentsComing() - (int)(_reservedForIndex / _heap.SegmentBytes);
        bool low = spare < LowWater + (_reservedForIndex > 0 ? 1 : 0);
        bool dismantles = Dismantle(low ? DismantledPerWriteWhenLow : DismantledPerWrite);
        bool sweeps = Sweep(low ? SweepPerWriteWhenLow : SweepPerWrite) || dismantles;
        if (low || _victim != 0 || MayNeedCompaction())
        {
            int missing = Math.Clamp(LowWater - spare, 0, 4);
            WalkVictim(((request.Size * WalkPerByte) + MinWalkedBytes) << missing, WalkAtMostEntries, evict: low && (!sweeps || spare < SegmentsPerWrite));
        }

        if (AvailableSegments() >= SegmentsPerWrite)
        {
            return Room.Made;
        }

        TakeBack();
        if (AvailableSegments() >= SegmentsPerWrite)
        {
            return Room.Made;
        }

        if (SegmentsComing() < SegmentsPerWrite)
        {
            return FreeMore(request) ? Room.More : Room.Made;
        }

        bool fits = HasRoomInOpen(QueueKind.Small, request.Size) || HeldBytes + _heap.SegmentBytes <= _maxBytes + ReserveBytes;
        return fits || request.Waits >= MaxWaits ? Room.Made : Room.WaitsForReaders;
    }

    private Room MakeSingleSpace(in SpaceRequest request)
    {
        long others = _reservedForSingles - (request.Step > 0 ? request.SingleBytes : 0);
        long most = _maxBytes - others - request.SingleBytes - (SegmentsPerWrite * (long)_heap.SegmentBytes);
        ReleasePooledAbove(most);
        if (HeldBytes > most)
        {
            TakeBack();
            ReleasePooledAbove(most);
        }

        if (HeldBytes - _heap.RetiredBytes > most || _heap.NumbersLeft + _heap.Retired <= SegmentsPerWrite)
        {
            return FreeMore(request) ? Room.More : Room.Made;
        }

        bool fits = HeldBytes <= most + ReserveBytes && _heap.NumbersLeft > SegmentsPerWrite;
        return fits || request.Waits >= MaxWaits ? Room.Made : Room.WaitsForReaders;
    }

    /// <summary>
    /// Performs one step of freeing memory. Frees removed collections or sweeps flushed entries if there are any; otherwise compacts or evicts.
    /// </summary>
    /// <returns>False if there was nothing to do. In that case the write exceeds the limit instead of failing.</returns>
    private bool FreeMore(in SpaceRequest request)
    {
        if (request.Step >= MaxSteps)
        {
            return false;
        }

        return Dismantle(StepEntries) || (request.Step < MaxSweepSteps && Sweep(StepEntries)) || WalkVictim(StepBytes, StepEntries, evict: true);
    }

    /// <summary>Reclaims freed memory that readers can no longer access.</summary>
    private void TakeBack()
    {
        _heap.Reclaim(advance: true);
        KeepToLimit();
    }

    /// <summary>Releases pooled memory that exceeds the limit, and pooled small segments if regular segments need their memory.</summary>
    private void KeepToLimit()
    {
        ReleasePooledAbove(_maxBytes);
        for (int left = ReleaseAtMost; left > 0 && AvailableSegments() < LowWater && TryTakeChunk(out PageBlock chunk); left--)
        {
            chunk.Free(_parts.Pages);
        }

        for (int left = ReleaseAtMost; left > 0 && _heap.HasSmallPooled && AvailableSegments() < LowWater; left--)
        {
            _heap.ReleasePooled();
        }
    }

    private void ReleasePooledAbove(long bytes)
    {
        for (int left = ReleaseAtMost; left > 0 && HeldBytes > bytes && _heap.HasPooled; left--)
        {
            _heap.ReleasePooled();
        }

        for (int left = ReleaseAtMost; left > 0 && HeldBytes > bytes && TryTakeChunk(out PageBlock chunk); left--)
        {
            chunk.Free(_parts.Pages);
        }
    }

    // Whether the shard contains so little data that eviction would not free a significant amount of memory.
    private bool IsNearlyEmpty => _heap.HeldBytes + _blocks.HeldBytes < 2 * LowWater * (long)_heap.SegmentBytes;

    /// <summary>
    /// Returns the number of segments that can be opened within the memory limit. If the operating system has refused memory, only pooled segments are counted,
    /// unless the shard is nearly empty.
    /// </summary>
    private int AvailableSegments()
    {
        if (_heap.Refused && !IsNearlyEmpty)
        {
            return _heap.Pooled;
        }

        long free = _maxBytes - HeldBytes - ReservedForGhosts - _reservedForSingles;
        long allocatable = free >= 0 ? free / _heap.SegmentBytes : -((-free + _heap.SegmentBytes - 1) / _heap.SegmentBytes);
        return (int)Math.Min(allocatable, _heap.NumbersLeft) + _heap.Pooled;
    }

    /// <summary>Like <see cref="AvailableSegments"/>, but includes freed memory that readers may still access.</summary>
    private int SegmentsComing() => AvailableSegments() + (int)(_heap.RetiredBytes / _heap.SegmentBytes);

    private bool HasRoomInOpen(QueueKind queue, int size)
    {
        int open = _open[(int)queue];
        return open != 0 && _heap[open].UsedBytes + size <= _heap[open].CapacityBytes;
    }

    /// <summary>A write's request for memory.</summary>
    /// <param name="size">The number of bytes of the entry.</param>
    /// <param name="singleBytes">
    /// The number of bytes to allocate outside the shared segments: a separate segment for a large entry, and other memory such as a chunk for collections. It
    /// is 0 if the write needs only shared segments.
    /// </param>
    private struct SpaceRequest(int size, long singleBytes)
    {
        public readonly int Size = size;
        public readonly long SingleBytes = singleBytes;
        public int Step;
        public int Waits;
    }
}
