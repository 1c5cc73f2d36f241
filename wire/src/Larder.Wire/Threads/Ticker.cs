namespace Larder.Wire.Threads;

/// <summary>
/// A timer that ticks only while there is work to watch. One ticker can watch the deadlines of many calls, so that a call needs no timer of its own.
/// </summary>
internal sealed class Ticker : IDisposable
{
    /// <summary>
    /// The default interval of the ticks. It is 10 ms, which is about a hundredth of the default deadline of a call (1.1 s). Checking 200 calls takes about 1
    /// µs.
    /// </summary>
    public static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(10);

    private readonly TimeSpan _interval;
    private readonly Func<bool> _watch;
    private readonly ITimer _timer;
    private int _isTicking;

    /// <summary>Creates a stopped timer.</summary>
    /// <param name="time">The clock.</param>
    /// <param name="watch">Called at each tick. Returns false if nothing is left to watch.</param>
    /// <param name="interval">The interval of the ticks. The default is <see cref="Tick"/>.</param>
    public Ticker(TimeProvider time, Func<bool> watch, TimeSpan? interval = null)
    {
        _interval = interval ?? Tick;
        _watch = watch;
        _timer = time.CreateTimer(static state => ((Ticker)state!).OnTick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Ensures that the timer ticks. Call this method after you add work to watch.</summary>
    public void Wake()
    {
        if (Volatile.Read(ref _isTicking) == 0 && Interlocked.Exchange(ref _isTicking, 1) == 0)
        {
            _timer.Change(_interval, _interval);
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
        // Work may have been added just before this point. Wake then did nothing, because the timer still counted as ticking. So the work is checked again.
        if (_watch())
        {
            Wake();
        }
    }
}
