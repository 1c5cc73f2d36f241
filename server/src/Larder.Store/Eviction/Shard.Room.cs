namespace Larder.Store;

/// <summary>
/// Frees memory for a write before the write begins. The work is done in steps of bounded size under the lock, which other threads can take between steps.
/// Memory is freed, counted in bytes, in this order: flushed entries are swept (Shard.Sweep.cs), dead space is compacted, and only then live entries are
/// evicted (Shard.Eviction.cs). Freed memory that still waits for readers counts as free; because of it, the memory limit may be exceeded temporarily by up
/// to a reserve. Beyond the reserve the write waits for the readers, for a bounded time, instead of evicting more.
/// </summary>
internal sealed unsafe partial class Shard
{
    // Number of segments to keep available: one for each queue being written, one being emptied, one waiting for its readers.
    private const int LowWater = 4;

    // Maximum segments released at once, up to 1 ms each: as many as one call reclaims from readers.
    private const int ReleaseAtMost = 4;

    // One for the entry itself, one for the entries that a victim walk keeps.
    private const int SegmentsPerWrite = 2;

    // Expired entries that one write visits in addition to what it needs itself.
    private const int ExpiryBudgetPerWrite = 16;

    // Bytes of victim walked per byte written, and the minimum. Doubled for each segment below the low-water mark.
    private const int WalkPerByte = 3;
    private const int MinWalkedBytes = 512;

    // Maximum number of entries walked per write, unless no memory is left.
    private const int WalkAtMostEntries = 128;

    // One step of a write for which no memory is left: about 0.1 ms with the shard locked.
    private const int StepEntries = 256;
    private const int StepBytes = 256 << 10;

    // After this many steps a write exceeds the limit instead of continuing. The steps suffice to walk a shard of 64 MiB once for each hit that an entry can
    // have.
    private const int MaxSteps = 10_000;

    // Waits for readers: the first ten only yield to other threads, the rest are 1 ms each; about 0.1 s in total.
    private const int MaxWaits = 100;
    private const int ShortWaits = 10;

    // Fraction of the shard by which memory that waits for readers may exceed the limit.
    private const int ReserveFraction = 16;

    // Bytes reserved for large entries while they free memory in several steps, so that no other write takes it in between.
    private long _reservedForSingles;

    // Entries visited since the lock was taken (to sweep, evict, compact, expire or copy the index), and the maximum per hold of the lock.
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

        /// <summary>Enough memory was freed, but it waits for readers.</summary>
        WaitsForReaders,
    }

    /// <summary>The largest number of entries visited in one hold of the lock.</summary>
    public long MaxWork => Volatile.Read(ref _mostWork);

    private long HeldBytes => _heap.HeldBytes + _blocks.HeldBytes + _tableBytes;

    private long LiveBytes => _queues[0].LiveBytes + _queues[1].LiveBytes + _queues[2].LiveBytes;

    private long ReserveBytes => _maxBytes / ReserveFraction;

    /// <summary>
    /// Takes the lock after freeing memory for an entry of this size in either queue, and for <paramref name="others"/> bytes of other memory. Entries may
    /// have been moved or evicted and the index replaced.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The store is disposed; the lock is not held.</exception>
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
                _ = _waiting.LetIn(sleeps: 0);
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
    /// Walks a little more of the victim than is needed, and more if no memory is left. While a sweep is running, no live entry is evicted, unless there is
    /// no segment for the next write; sweeping until there is one would take that write several milliseconds.
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

    /// <summary>Performs one step of freeing memory: sweeps if something was flushed, otherwise compacts or evicts.</summary>
    /// <returns>False if there was nothing to do. In that case the write exceeds the limit instead of failing.</returns>
    private bool FreeMore(in SpaceRequest request)
    {
        if (request.Step >= MaxSteps)
        {
            return false;
        }

        return Dismantle(StepEntries) || (request.Step < MaxSweepSteps && Sweep(StepEntries)) || WalkVictim(StepBytes, StepEntries, evict: true);
    }

    /// <summary>Reclaims memory that readers have left.</summary>
    private void TakeBack()
    {
        _heap.Reclaim(advance: true);
        KeepToLimit();
    }

    /// <summary>Releases pooled memory that exceeds the limit, and pooled small segments whose memory could be used for regular ones.</summary>
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

    // Whether the shard holds so little that evicting it would free no significant memory.
    private bool IsNearlyEmpty => _heap.HeldBytes + _blocks.HeldBytes < 2 * LowWater * (long)_heap.SegmentBytes;

    /// <summary>
    /// Number of segments that can be opened within the limit. If the operating system refuses memory, what is held becomes the limit, unless it is very
    /// little.
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

    /// <summary>Like <see cref="AvailableSegments"/>, but includes freed memory that waits for readers.</summary>
    private int SegmentsComing() => AvailableSegments() + (int)(_heap.RetiredBytes / _heap.SegmentBytes);

    private bool HasRoomInOpen(QueueKind queue, int size)
    {
        int open = _open[(int)queue];
        return open != 0 && _heap[open].UsedBytes + size <= _heap[open].CapacityBytes;
    }

    /// <summary>A write's request for memory.</summary>
    /// <param name="size">Bytes of the entry.</param>
    /// <param name="singleBytes">Bytes of the entry's own segment and of a chunk for collections; 0 if the entry shares a segment and needs no chunk.</param>
    private struct SpaceRequest(int size, long singleBytes)
    {
        public readonly int Size = size;
        public readonly long SingleBytes = singleBytes;
        public int Step;
        public int Waits;
    }
}
