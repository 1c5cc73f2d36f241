namespace Larder.FileStore.Tests.Support;

/// <summary>A clock that stands still until it is advanced; its timers run then, on the advancing thread.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private TimeSpan _set;
    private DateTimeOffset _now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow()
    {
        lock (_gate)
        {
            return _now;
        }
    }

    public override long GetTimestamp()
    {
        lock (_gate)
        {
            return (_now - _set).UtcTicks;
        }
    }

    /// <summary>Sets the clock by so much, as an operator does: the time that passes is not touched.</summary>
    internal void Set(TimeSpan by)
    {
        lock (_gate)
        {
            _now += by;
            _set += by;
        }
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ManualTimer timer = new(this, callback, state);
        timer.Change(dueTime, period);
        lock (_gate)
        {
            _timers.Add(timer);
        }
        return timer;
    }

    /// <summary>Moves the clock on in one step, then runs each timer that came due, once.</summary>
    internal void Advance(TimeSpan by)
    {
        List<ManualTimer> due;
        lock (_gate)
        {
            _now += by;
            due = [.. _timers.Where(t => t.Due <= _now)];
        }
        due.ForEach(t => t.Fire());
    }

    private sealed class ManualTimer(ManualTime time, TimerCallback callback, object? state) : ITimer
    {
        private TimeSpan _period;

        internal DateTimeOffset Due { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            Due = dueTime == Timeout.InfiniteTimeSpan ? DateTimeOffset.MaxValue : time.GetUtcNow() + dueTime;
            _period = period;
            return true;
        }

        public void Dispose()
        {
            lock (time._gate)
            {
                time._timers.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        internal void Fire()
        {
            Due = time.GetUtcNow() + _period;
            callback(state);
        }
    }
}
