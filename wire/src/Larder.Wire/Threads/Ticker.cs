namespace Larder.Wire.Threads;

/// <summary>A timer that ticks while there is something to watch: calls note their deadlines and set no timers of their own.</summary>
internal sealed class Ticker : IDisposable
{
    /// <summary>10 ms: a hundredth of the shortest default deadline but one; a look at 200 calls takes about 1 µs.</summary>
    public static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(10);

    private readonly Func<bool> _watch;
    private readonly ITimer _timer;
    private int _isTicking;

    /// <param name="time">The clock.</param>
    /// <param name="watch">Looks at what is due; false where there is nothing left to watch.</param>
    public Ticker(TimeProvider time, Func<bool> watch)
    {
        _watch = watch;
        _timer = time.CreateTimer(static state => ((Ticker)state!).OnTick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Makes sure that it ticks; called after there is something to watch.</summary>
    public void Wake()
    {
        if (Volatile.Read(ref _isTicking) == 0 && Interlocked.Exchange(ref _isTicking, 1) == 0)
        {
            _timer.Change(Tick, Tick);
        }
    }

    public void Dispose() => _timer.Dispose();

    private void OnTick()
    {
        if (_watch())
        {
            return;
        }

        _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        Interlocked.Exchange(ref _isTicking, 0);
        // What came before this saw it ticking and did not wake it.
        if (_watch())
        {
            Wake();
        }
    }
}
