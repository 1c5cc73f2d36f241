namespace Larder.Store;

/// <summary>
/// When memory that readers may still look at can be used again. A reader notes the epoch it entered in; memory unlinked in epoch E is
/// free once no reader from E or before is inside. Entering is one plain store: the fence it would need is issued on all processors by
/// the side that frees, which does so once per segment.
/// </summary>
internal sealed class Epochs
{
    [ThreadStatic]
    private static ReaderSlot? t_last;

    private readonly Lock _lock = new();
    private readonly Stack<ReaderSlot> _idle = new();
    private volatile ReaderSlot[] _slots = [];
    private long _now = 1;
    private long _safe;

    /// <summary>The epoch that a reader enters in.</summary>
    public long Now => Volatile.Read(ref _now);

    /// <summary>
    /// The epoch that memory belongs to which this thread unlinked before. The fence keeps the unlinking from becoming visible after the epoch
    /// was read: else a reader of the next epoch might still find the memory. Once per segment, table or space, never per call.
    /// </summary>
    public long Unlinked()
    {
        Interlocked.MemoryBarrier();
        return Now;
    }

    /// <summary>Memory of this epoch and of all before was found free of readers.</summary>
    public long Safe => Volatile.Read(ref _safe);

    /// <summary>This thread's slot.</summary>
    public ReaderSlot Current
    {
        get
        {
            ReaderSlot? last = t_last;
            return last is not null && ReferenceEquals(last.Owner, this) ? last : Rent();
        }
    }

    /// <summary>Every slot ever rented.</summary>
    public ReadOnlySpan<ReaderSlot> Slots => _slots;

    /// <summary>Begins a new epoch and finds which are free of readers.</summary>
    public void Advance()
    {
        long now = Interlocked.Increment(ref _now);
        Interlocked.MemoryBarrierProcessWide();
        long oldest = now;
        foreach (ReaderSlot slot in _slots)
        {
            long epoch = slot.Epoch;
            if (epoch != 0 && epoch < oldest)
            {
                oldest = epoch;
            }
        }

        long safe = oldest - 1;
        long before = Volatile.Read(ref _safe);
        while (safe > before)
        {
            long seen = Interlocked.CompareExchange(ref _safe, safe, before);
            if (seen == before)
            {
                return;
            }

            before = seen;
        }
    }

    /// <summary>Takes back the slot of a thread that ended; its counts stay.</summary>
    internal void Return(ReaderSlot slot)
    {
        lock (_lock)
        {
            _idle.Push(slot);
        }
    }

    private ReaderSlot Rent()
    {
        ReaderSlot slot = ThreadSlots.OfThisThread.Find(this) ?? ThreadSlots.OfThisThread.Add(TakeOrCreate());
        t_last = slot;
        return slot;
    }

    private ReaderSlot TakeOrCreate()
    {
        lock (_lock)
        {
            if (_idle.TryPop(out ReaderSlot? idle))
            {
                return idle;
            }

            var slot = new ReaderSlot(this);
            _slots = [.. _slots, slot];
            return slot;
        }
    }
}
