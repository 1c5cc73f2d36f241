namespace Larder.Wire;

/// <summary>
/// Ends the calls of a channel whose deadlines have passed, by one timer that ticks while there are calls: a call itself only notes its deadline.
/// A deadline is therefore met up to one tick late.
/// </summary>
internal sealed class DeadlineSweep : IDisposable
{
    // 10 ms: a hundredth of the shortest default deadline but one; a sweep over 200 calls takes about 1 µs.
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(10);

    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private UnaryCall[] _calls = [];
    private int _isTicking;

    public DeadlineSweep(TimeProvider time)
    {
        _time = time;
        _timer = time.CreateTimer(static state => ((DeadlineSweep)state!).Sweep(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Watches over a call object from now on, through all the calls it will serve.</summary>
    public void Add(UnaryCall call)
    {
        lock (_gate)
        {
            _calls = [.. _calls, call];
        }
    }

    /// <summary>Forgets a call object that will not serve again.</summary>
    public void Remove(UnaryCall call)
    {
        lock (_gate)
        {
            _calls = [.. _calls.Where(other => !ReferenceEquals(other, call))];
        }
    }

    /// <summary>The instant at which a call begun now with this timeout ends.</summary>
    public long DeadlineAfter(TimeSpan timeout)
    {
        double ticks = timeout.TotalSeconds * _time.TimestampFrequency;
        long now = _time.GetTimestamp();
        return ticks >= long.MaxValue - now ? long.MaxValue : Math.Max(1, now + (long)ticks);
    }

    /// <summary>Makes sure that the timer ticks; called after a call has noted its deadline.</summary>
    public void Wake()
    {
        if (Volatile.Read(ref _isTicking) == 0 && Interlocked.Exchange(ref _isTicking, 1) == 0)
        {
            _timer.Change(Tick, Tick);
        }
    }

    public void Dispose() => _timer.Dispose();

    private void Sweep()
    {
        if (ExpireAndCount() > 0)
        {
            return;
        }

        _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        Interlocked.Exchange(ref _isTicking, 0);
        // A call that noted its deadline before this saw the timer ticking and did not wake it.
        if (ExpireAndCount() > 0)
        {
            Wake();
        }
    }

    private int ExpireAndCount()
    {
        long now = _time.GetTimestamp();
        int waiting = 0;
        foreach (UnaryCall call in Volatile.Read(ref _calls))
        {
            waiting += call.ExpireIfDue(now) ? 1 : 0;
        }

        return waiting;
    }
}
