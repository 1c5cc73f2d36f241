namespace Larder.Wire.Threads;

/// <summary>A timer whose callback runs on <see cref="DedicatedThreads"/>. The callback is the library's own and may not throw.</summary>
internal sealed class DedicatedTimer(DedicatedThreads threads, TimerCallback callback, object? state) : ITimer, IThreadPoolWorkItem
{
    private volatile bool _isDisposed;

    /// <summary>When it is due, a timestamp. The heap's, as is the next.</summary>
    public long DueAt { get; set; } = long.MaxValue;

    /// <summary>Its place in the heap; -1: it is not in it.</summary>
    public int HeapIndex { get; set; } = -1;

    /// <summary>Ticks between two times; 0: it is due once.</summary>
    public long PeriodTicks { get; private set; }

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(dueTime, Timeout.InfiniteTimeSpan);
        ArgumentOutOfRangeException.ThrowIfLessThan(period, Timeout.InfiniteTimeSpan);
        if (_isDisposed)
        {
            return false;
        }

        PeriodTicks = period > TimeSpan.Zero ? DedicatedTime.TicksOf(period) : 0;
        threads.Schedule(this, dueTime < TimeSpan.Zero ? long.MaxValue : DedicatedTime.Now + DedicatedTime.TicksOf(dueTime));
        return true;
    }

    public void Dispose()
    {
        _isDisposed = true;
        threads.Schedule(this, long.MaxValue);
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (!_isDisposed)
        {
            callback(state);
        }
    }
}
