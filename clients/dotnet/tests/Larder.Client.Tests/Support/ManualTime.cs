namespace Larder.Client.Tests.Support;

/// <summary>A clock that stands until the test moves it; timers fire on the thread that moves it.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<ManualTimer> _timers = [];
    private long _now = 1_000;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>Timers that exist, set or not.</summary>
    public int Timers
    {
        get
        {
            lock (_lock)
            {
                return _timers.Count;
            }
        }
    }

    public override long GetTimestamp() => Volatile.Read(ref _now);

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ManualTimer timer = new(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    public void Advance(TimeSpan by)
    {
        long until = GetTimestamp() + by.Ticks;
        while (NextDue(until) is { } timer)
        {
            timer.Fire();
        }

        Volatile.Write(ref _now, until);
    }

    private ManualTimer? NextDue(long until)
    {
        lock (_lock)
        {
            ManualTimer? next = _timers.Where(timer => timer.DueAt <= until).MinBy(static timer => timer.DueAt);
            if (next is not null)
            {
                Volatile.Write(ref _now, Math.Max(_now, next.DueAt));
                next.DueAt = long.MaxValue;
            }

            return next;
        }
    }

    private sealed class ManualTimer(ManualTime time, Action fire) : ITimer
    {
        public long DueAt { get; set; } = long.MaxValue;

        public void Fire() => fire();

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._lock)
            {
                DueAt = dueTime == Timeout.InfiniteTimeSpan ? long.MaxValue : time.GetTimestamp() + dueTime.Ticks;
                if (!time._timers.Contains(this))
                {
                    time._timers.Add(this);
                }
            }

            return true;
        }

        public void Dispose()
        {
            lock (time._lock)
            {
                time._timers.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
