namespace Larder.Store;

/// <summary>
/// Room for a write, made before it begins: in steps that each do a bounded amount of work under the lock, which is free for others between
/// them. Three things make room, and each is counted in bytes: what is flushed is swept (Shard.Sweep.cs), what is dead is compacted away, and
/// only then is something live evicted (Shard.Eviction.cs). What has been freed but waits for readers to leave counts as room: the limit may
/// be passed by it for that long, up to a reserve, and beyond that the write waits for the readers, a bounded time, instead of evicting more.
/// </summary>
internal sealed unsafe partial class Shard
{
    // Segments to have ready: one for each queue being written, one being emptied, one waiting for its readers.
    private const int LowWater = 4;

    // Segments given back at once, each up to 1 ms: as many as one call takes back from readers.
    private const int ReleaseAtMost = 4;

    // One for the entry itself, one for what a walk keeps.
    private const int SegmentsPerWrite = 2;

    // Expired entries looked at by one write beyond what it needs itself.
    private const int ExpiryBudgetPerWrite = 16;

    // Bytes of victim walked per byte written, and at least; doubled for each segment short of the low-water mark.
    private const int WalkPerByte = 3;
    private const int WalkAtLeastBytes = 512;

    // Entries walked by one write at most, unless nothing is left to write to.
    private const int WalkAtMostEntries = 128;

    // One step of a write for which nothing is left: about 0.1 ms with the shard locked.
    private const int StepEntries = 256;
    private const int StepBytes = 256 << 10;

    // After so many steps a write passes the limit rather than go on: enough to walk a shard of 64 MiB once for each hit that an entry can have.
    private const int MaxSteps = 10_000;

    // Waits for readers, the first ten only as long as it takes to let others run, then 1 ms each: about 0.1 s.
    private const int MaxWaits = 100;
    private const int ShortWaits = 10;

    // Part of the shard that what waits for readers may take beyond the limit.
    private const int ReserveFraction = 16;

    // Of large entries that have made room in part: others do not take it between two steps.
    private long _reservedForSingles;

    // Entries looked at since the lock was taken, to sweep, evict, compact, expire or copy the index; and the most at once.
    private long _work;
    private long _mostWork;

    private enum Room
    {
        /// <summary>The step failed with an exception.</summary>
        Failed,

        /// <summary>The entry can be appended.</summary>
        Made,

        /// <summary>Another step makes more.</summary>
        More,

        /// <summary>Enough was freed, and waits for readers.</summary>
        WaitsForReaders,
    }

    /// <summary>The most entries that were looked at in one hold of the lock.</summary>
    public long MostWork => Volatile.Read(ref _mostWork);

    private long HeldBytes => _heap.HeldBytes + _blocks.HeldBytes + _tableBytes;

    private long LiveBytes => _queues[0].LiveBytes + _queues[1].LiveBytes + _queues[2].LiveBytes;

    private long ReserveBytes => _maxBytes / ReserveFraction;

    /// <summary>
    /// Takes the lock, with room for an entry of this size in either queue, and for so many bytes of other memory. Entries may have been moved and evicted, and
    /// the index replaced.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The store is disposed of; the lock is free.</exception>
    private void EnterWithRoom(int size, long others = 0)
    {
        var request = new RoomRequest(size, others + (size > _heap.MaxSharedEntryBytes ? SegmentHeap.PagesOf(size) : 0));
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

    private Room TryEnter(ref RoomRequest request)
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

    private Room MakeRoom(in RoomRequest request)
    {
        ObjectDisposedException.ThrowIf(_closed, typeof(CacheStore));
        ReclaimExpired(_parts.Clock.NowMs, ExpiryBudgetPerWrite);
        if (!EnsureIndexRoom())
        {
            return !HoldsLittle && FreeMore(request) ? Room.More : throw PageRegions.Refused(IndexTable.BytesFor(Index->Groups));
        }

        KeepToLimit();
        Room room = request.SingleBytes > 0 ? RoomForSingle(request) : Room.Made;
        return room == Room.Made ? RoomForShared(request) : room;
    }

    /// <summary>
    /// Walks a little ahead of the need, and further where nothing is left. While something is swept nothing live is evicted, unless the sweep has left no
    /// segment for the next write: to do that all at once would take it some milliseconds.
    /// </summary>
    private Room RoomForShared(in RoomRequest request)
    {
        int spare = SegmentsComing() - (int)(_reservedForIndex / _heap.SegmentBytes);
        bool low = spare < LowWater + (_reservedForIndex > 0 ? 1 : 0);
        bool dismantles = Dismantle(low ? DismantledPerWriteWhenLow : DismantledPerWrite);
        bool sweeps = Sweep(low ? SweepPerWriteWhenLow : SweepPerWrite) || dismantles;
        if (low || _victim != 0 || MayNeedCompaction())
        {
            int missing = Math.Clamp(LowWater - spare, 0, 4);
            WalkVictim(((request.Size * WalkPerByte) + WalkAtLeastBytes) << missing, WalkAtMostEntries, evict: low && (!sweeps || spare < SegmentsPerWrite));
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

    private Room RoomForSingle(in RoomRequest request)
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

    /// <summary>One step of freeing memory: of sweeping, where something is flushed; else of compacting or evicting.</summary>
    /// <returns>Whether there was something to do: if not, the limit is passed rather than the write refused.</returns>
    private bool FreeMore(in RoomRequest request)
    {
        if (request.Step >= MaxSteps)
        {
            return false;
        }

        return Dismantle(StepEntries) || (request.Step < MaxSweepSteps && Sweep(StepEntries)) || WalkVictim(StepBytes, StepEntries, evict: true);
    }

    /// <summary>Takes back what readers have left by now.</summary>
    private void TakeBack()
    {
        _heap.Reclaim(advance: true);
        KeepToLimit();
    }

    /// <summary>Gives pooled memory back where it passes the limit, or, of small segments, where it could be segments of the usual size.</summary>
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

    // So little that to evict it would make no room to speak of.
    private bool HoldsLittle => _heap.HeldBytes + _blocks.HeldBytes < 2 * LowWater * (long)_heap.SegmentBytes;

    /// <summary>
    /// Segments that may be opened before the limit is reached. Where the system refuses memory, what is held is the limit, unless that is little.
    /// </summary>
    private int AvailableSegments()
    {
        if (_heap.Refused && !HoldsLittle)
        {
            return _heap.Pooled;
        }

        long free = _maxBytes - HeldBytes - ReservedForGhosts - _reservedForSingles;
        long allocatable = free >= 0 ? free / _heap.SegmentBytes : -((-free + _heap.SegmentBytes - 1) / _heap.SegmentBytes);
        return (int)Math.Min(allocatable, _heap.NumbersLeft) + _heap.Pooled;
    }

    /// <summary>The same, with what is freed and waits for readers.</summary>
    private int SegmentsComing() => AvailableSegments() + (int)(_heap.RetiredBytes / _heap.SegmentBytes);

    private bool HasRoomInOpen(QueueKind queue, int size)
    {
        int open = _open[(int)queue];
        return open != 0 && _heap[open].UsedBytes + size <= _heap[open].CapacityBytes;
    }

    /// <summary>A write that wants room.</summary>
    /// <param name="size">Bytes of its entry.</param>
    /// <param name="singleBytes">Bytes of its own segment, and of a chunk for collections; 0 for an entry that shares one and needs none.</param>
    private struct RoomRequest(int size, long singleBytes)
    {
        public readonly int Size = size;
        public readonly long SingleBytes = singleBytes;
        public int Step;
        public int Waits;
    }
}
