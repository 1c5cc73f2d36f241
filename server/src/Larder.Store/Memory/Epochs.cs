namespace Larder.Store;

/// <summary>
/// Epoch-based reclamation: decides when memory that readers may access can be reused. A reader records the epoch in which it enters. Memory that was unlinked
/// in epoch E is free when there is no reader that entered in E or earlier. A reader enters with a single plain store and without a memory fence. Instead, the
/// thread that frees memory issues the fence on all processors, once per segment.
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

    /// <summary>The current epoch.</summary>
    public long Now => Volatile.Read(ref _now);

    /// <summary>
    /// Returns the epoch of memory that this thread has just unlinked. The fence ensures that other threads see the unlinking before the epoch is read.
    /// Otherwise, a reader of the next epoch could still find the memory. Called once per segment, table or space, never per operation.
    /// </summary>
    public long Unlinked()
    {
        Interlocked.MemoryBarrier();
        return Now;
    }

    /// <summary>The last safe epoch. Memory that was unlinked in this epoch or earlier has no readers.</summary>
    public long Safe => Volatile.Read(ref _safe);

    /// <summary>The current thread's slot.</summary>
    public ReaderSlot Current
    {
        get
        {
            ReaderSlot? last = t_last;
            return last is not null && ReferenceEquals(last.Owner, this) ? last : Rent();
        }
    }

    /// <summary>All slots that were ever created.</summary>
    public ReadOnlySpan<ReaderSlot> Slots => _slots;

    /// <summary>Starts a new epoch and determines which epochs have no readers.</summary>
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

    /// <summary>Releases the slot of a thread that has ended, so that another thread can use the slot. The counts in the slot are kept.</summary>
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
