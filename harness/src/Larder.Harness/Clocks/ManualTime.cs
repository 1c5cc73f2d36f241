namespace Larder.Harness.Clocks;

/// <summary>A clock that stands until a test moves it. Its timers fire on the thread that moves it, each at its time and in order.</summary>
public sealed class ManualTime : TimeProvider
{
    // A time of day whose bytes are in files that tests compare; the other begins at something too: what is not set is 0, and shows.
    private static readonly long s_start = DateTimeOffset.FromUnixTimeSeconds(1_700_000_000).Ticks;

    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private long _passed = TimeSpan.TicksPerDay;
    private long _wall = s_start - TimeSpan.TicksPerDay;

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>Whether timers never fire: what they would do, the test does itself.</summary>
    public bool HoldsTimers { get; init; }

    /// <summary>Called whenever the timestamp is asked for.</summary>
    public Action? Asked { get; set; }

    /// <summary>Timers that exist, set or not.</summary>
    public int Timers
    {
        get
        {
            lock (_gate)
            {
                return _timers.Count;
            }
        }
    }

    /// <inheritdoc/>
    public override long GetTimestamp()
    {
        Asked?.Invoke();
        return Volatile.Read(ref _passed);
    }

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => new(Volatile.Read(ref _passed) + Volatile.Read(ref _wall), TimeSpan.Zero);

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        lock (_gate)
        {
            _timers.Add(timer);
        }

        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Moves the clock on; a timer that is due on the way fires when the clock is there.</summary>
    public void Advance(TimeSpan by)
    {
        long until = Volatile.Read(ref _passed) + by.Ticks;
        while (!HoldsTimers && NextDue(until) is { } timer)
        {
            timer.Fire();
        }

        Volatile.Write(ref _passed, until);
    }

    /// <summary>The same in milliseconds.</summary>
    public void AdvanceMs(long by) => Advance(TimeSpan.FromMilliseconds(by));

    /// <summary>Moves the clock on at once, as of a machine that slept: the clock is there when timers fire, each that came due once.</summary>
    public void Jump(TimeSpan by)
    {
        Interlocked.Add(ref _passed, by.Ticks);
        lock (_gate)
        {
            _timers.ForEach(timer => timer.Due = timer.Due < _passed ? _passed : timer.Due);
        }

        Advance(TimeSpan.Zero);
    }

    /// <summary>Moves on in steps until <paramref name="task"/> has ended: for what other threads time, who may set a timer after any one step.</summary>
    /// <exception cref="TimeoutException">It has not within a minute of real time.</exception>
    public async Task AdvanceUntilAsync(Task task, TimeSpan step)
    {
        ArgumentNullException.ThrowIfNull(task);
        long began = System.GetTimestamp();
        while (!task.IsCompleted)
        {
            Advance(step);
            if (System.GetElapsedTime(began) > TimeSpan.FromMinutes(1))
            {
                throw new TimeoutException("the clock moved on and on, and the task did not end");
            }

            await Task.Yield();
        }
    }

    /// <summary>Sets the time of day on or back, as an operator does: the time that passes is not touched.</summary>
    public void SetWall(TimeSpan by) => Interlocked.Add(ref _wall, by.Ticks);

    private ManualTimer? NextDue(long until)
    {
        lock (_gate)
        {
            ManualTimer? next = _timers.Where(timer => timer.Due <= until).MinBy(static timer => timer.Due);
            if (next is not null)
            {
                Volatile.Write(ref _passed, Math.Max(_passed, next.Due));
                next.Due = next.Period > 0 ? _passed + next.Period : long.MaxValue;
            }

            return next;
        }
    }

    private sealed class ManualTimer(ManualTime time, TimerCallback callback, object? state) : ITimer
    {
        public long Due { get; set; } = long.MaxValue;

        public long Period { get; private set; }

        public void Fire() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._gate)
            {
                Due = dueTime == Timeout.InfiniteTimeSpan ? long.MaxValue : time._passed + dueTime.Ticks;
                Period = period == Timeout.InfiniteTimeSpan ? 0 : period.Ticks;
                return time._timers.Contains(this);
            }
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
    }
}
