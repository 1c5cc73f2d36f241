namespace Larder.Wire.Tests;

/// <summary>A clock that a test moves. Its timers fire on the thread that moves it.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private long _now = TimeSpan.TicksPerDay;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Volatile.Read(ref _now);

    public override DateTimeOffset GetUtcNow() => new(GetTimestamp(), TimeSpan.Zero);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ManualTimer timer = new(this, callback, state);
        lock (_gate)
        {
            _timers.Add(timer);
        }

        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Moves on in steps until <paramref name="task"/> has ended: for what other threads time, who may set a timer after any one step.</summary>
    public async Task AdvanceUntilAsync(Task task, TimeSpan step)
    {
        long began = System.GetTimestamp();
        while (!task.IsCompleted)
        {
            Advance(step);
            Assert.True(System.GetElapsedTime(began) < TestCalls.Patience, "The clock moved on and on, and the task did not end.");
            await Task.Yield();
        }
    }

    public void Advance(TimeSpan by)
    {
        Interlocked.Add(ref _now, by.Ticks);
        ManualTimer[] timers;
        lock (_gate)
        {
            timers = [.. _timers];
        }

        foreach (ManualTimer timer in timers)
        {
            timer.FireIfDue(GetTimestamp());
        }
    }

    private void Remove(ManualTimer timer)
    {
        lock (_gate)
        {
            _timers.Remove(timer);
        }
    }

    private sealed class ManualTimer(ManualTime time, TimerCallback callback, object? state) : ITimer
    {
        private long _due = long.MaxValue;
        private TimeSpan _period;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            _period = period;
            Volatile.Write(ref _due, dueTime == Timeout.InfiniteTimeSpan ? long.MaxValue : time.GetTimestamp() + dueTime.Ticks);
            return true;
        }

        public void FireIfDue(long now)
        {
            if (now < Volatile.Read(ref _due))
            {
                return;
            }

            Volatile.Write(ref _due, _period == Timeout.InfiniteTimeSpan || _period == TimeSpan.Zero ? long.MaxValue : now + _period.Ticks);
            callback(state);
        }

        public void Dispose() => time.Remove(this);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
