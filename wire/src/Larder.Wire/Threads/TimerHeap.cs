using System.Diagnostics.CodeAnalysis;

namespace Larder.Wire.Threads;

/// <summary>
/// A binary heap of timers, ordered by due time. Each timer stores its index, so a timer can be changed or removed in O(log n). Not thread-safe.
/// </summary>
internal sealed class TimerHeap
{
    private DedicatedTimer[] _timers = new DedicatedTimer[16];

    /// <summary>Gets the number of scheduled timers.</summary>
    public int Count { get; private set; }

    /// <summary>Gets the due time of the earliest timer, or <see cref="long.MaxValue"/> if there is none.</summary>
    public long NextDueAt => Count == 0 ? long.MaxValue : _timers[0].DueAt;

    /// <summary>Sets the time at which a timer is due. <see cref="long.MaxValue"/> means never.</summary>
    public void Set(DedicatedTimer timer, long dueAt)
    {
        Remove(timer);
        timer.DueAt = dueAt;
        if (dueAt == long.MaxValue)
        {
            return;
        }

        if (Count == _timers.Length)
        {
            Array.Resize(ref _timers, Count * 2);
        }

        Place(timer, Count++);
        Rise(timer);
    }

    /// <summary>Returns a timer that is due, and removes it from the heap. A periodic timer stays in the heap with its next due time.</summary>
    public bool TryTakeDue(long now, [NotNullWhen(true)] out DedicatedTimer? timer)
    {
        timer = null;
        if (NextDueAt > now)
        {
            return false;
        }

        timer = _timers[0];
        Set(timer, timer.PeriodTicks == 0 ? long.MaxValue : Math.Max(now, timer.DueAt + timer.PeriodTicks));
        return true;
    }

    private void Remove(DedicatedTimer timer)
    {
        int index = timer.HeapIndex;
        if (index < 0)
        {
            return;
        }

        timer.HeapIndex = -1;
        DedicatedTimer last = _timers[--Count];
        _timers[Count] = null!;
        if (last != timer)
        {
            Place(last, index);
            Rise(last);
            Sink(last);
        }
    }

    private void Rise(DedicatedTimer timer)
    {
        while (timer.HeapIndex > 0 && _timers[(timer.HeapIndex - 1) / 2] is var parent && parent.DueAt > timer.DueAt)
        {
            int index = parent.HeapIndex;
            Place(parent, timer.HeapIndex);
            Place(timer, index);
        }
    }

    private void Sink(DedicatedTimer timer)
    {
        while ((timer.HeapIndex * 2) + 1 is var child && child < Count)
        {
            if (child + 1 < Count && _timers[child + 1].DueAt < _timers[child].DueAt)
            {
                child++;
            }

            DedicatedTimer least = _timers[child];
            if (least.DueAt >= timer.DueAt)
            {
                return;
            }

            Place(least, timer.HeapIndex);
            Place(timer, child);
        }
    }

    private void Place(DedicatedTimer timer, int index)
    {
        _timers[index] = timer;
        timer.HeapIndex = index;
    }
}
