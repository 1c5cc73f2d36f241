namespace Larder.Wire.Threads;

/// <summary>A timer whose callback runs on <see cref="DedicatedThreads"/>. The callback is internal code and must not throw.</summary>
internal sealed class DedicatedTimer(DedicatedThreads threads, TimerCallback callback, object? state) : ITimer, IThreadPoolWorkItem
{
    private volatile bool _isDisposed;

    /// <summary>The timestamp at which the timer is due. Only the heap changes it.</summary>
    public long DueAt { get; set; } = long.MaxValue;

    /// <summary>The index in the heap, or -1 if the timer is not in the heap. Only the heap changes it.</summary>
    public int HeapIndex { get; set; } = -1;

    /// <summary>Gets the period in timestamp ticks, or 0 if the timer fires once.</summary>
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
        if (_isDisposed)
        {
            // Dispose ran in the meantime. Its schedule must be the last one, or the heap would keep the timer forever.
            threads.Schedule(this, long.MaxValue);
        }

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
