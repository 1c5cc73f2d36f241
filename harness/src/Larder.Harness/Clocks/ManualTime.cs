namespace Larder.Harness.Clocks;

/// <summary>
/// A clock that stands still until a test advances it. Its timers fire on the thread that advances the clock, in order, each at its due time.
/// </summary>
public sealed class ManualTime : TimeProvider
{
    // The wall clock starts at a fixed time, because this time occurs in files that tests compare. The monotonic clock does not start at 0, so that 0 can mean
    // an unset value.
    private static readonly long s_start = DateTimeOffset.FromUnixTimeSeconds(1_700_000_000).Ticks;

    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private long _passed = TimeSpan.TicksPerDay;
    private long _wall = s_start - TimeSpan.TicksPerDay;

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>Gets whether all timers are disabled. A test sets this if it does the work of the timers itself.</summary>
    public bool HoldsTimers { get; init; }

    /// <summary>Gets or sets a callback that runs at each read of the timestamp.</summary>
    public Action? Asked { get; set; }

    /// <summary>Gets the number of timers that are not disposed, including those that are not running.</summary>
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

    /// <summary>Gets the number of timers that are running.</summary>
    public int RunningTimers
    {
        get
        {
            lock (_gate)
            {
                return _timers.Count(static timer => timer.Due != long.MaxValue);
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

    /// <summary>Advances the clock. Each timer that becomes due fires when the clock reaches its due time.</summary>
    public void Advance(TimeSpan by)
    {
        long until = Volatile.Read(ref _passed) + by.Ticks;
        while (!HoldsTimers && NextDue(until) is { } timer)
        {
            timer.Fire();
        }

        Volatile.Write(ref _passed, until);
    }

    /// <summary>Advances the clock by a number of milliseconds.</summary>
    public void AdvanceMs(long by) => Advance(TimeSpan.FromMilliseconds(by));

    /// <summary>Advances the clock in one step, as on a machine that was suspended. Each timer that is due by then fires once, after the step.</summary>
    public void Jump(TimeSpan by)
    {
        Interlocked.Add(ref _passed, by.Ticks);
        lock (_gate)
        {
            _timers.ForEach(timer => timer.Due = timer.Due < _passed ? _passed : timer.Due);
        }

        Advance(TimeSpan.Zero);
    }

    /// <summary>
    /// Advances the clock in steps until <paramref name="task"/> has completed. Use this method if code on another thread sets timers, because it may set a
    /// timer after any step.
    /// </summary>
    /// <exception cref="TimeoutException">The task did not complete within a minute of real time.</exception>
    public async Task AdvanceUntilAsync(Task task, TimeSpan step)
    {
        ArgumentNullException.ThrowIfNull(task);
        long began = System.GetTimestamp();
        while (!task.IsCompleted)
        {
            Advance(step);
            if (System.GetElapsedTime(began) > TimeSpan.FromMinutes(1))
            {
                throw new TimeoutException("the clock was advanced repeatedly, but the task did not end");
            }

            await Task.Yield();
        }
    }

    /// <summary>Sets the wall clock forward or back, as an administrator of a machine can do. The monotonic clock does not change.</summary>
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
