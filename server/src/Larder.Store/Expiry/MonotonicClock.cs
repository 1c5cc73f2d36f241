namespace Larder.Store;

/// <summary>
/// Milliseconds since the store was built, from timestamps that no change of the wall clock can move. If a clock of the caller's own steps back,
/// time stands still until it has caught up: what has expired stays so.
/// </summary>
internal sealed class MonotonicClock
{
    // The coarse tick may be this far behind the timestamps: a timer interrupt is at most 10 ms, here with a wide margin.
    private const long CoarseLagMs = 1000;

    private readonly TimeProvider _time;
    private readonly bool _hasCoarse;
    private readonly long _start;
    private readonly long _coarseStart;
    private readonly long _frequency;
    private long _latestMs;

    public MonotonicClock(TimeProvider time)
    {
        _time = time;
        _hasCoarse = ReferenceEquals(time, TimeProvider.System);
        _frequency = time.TimestampFrequency;
        _coarseStart = Environment.TickCount64;
        _start = time.GetTimestamp();
    }

    /// <summary>Whole milliseconds passed, floored.</summary>
    public long NowMs
    {
        get
        {
            long elapsed = _time.GetTimestamp() - _start;
            // Nanosecond timestamps, the usual case, are divided by a constant.
            long nowMs = _frequency == 1_000_000_000 ? elapsed / 1_000_000 : (long)((Int128)elapsed * 1000 / _frequency);

            // The system's own is monotonic.
            return _hasCoarse ? nowMs : Latest(nowMs);
        }
    }

    /// <summary>
    /// Whether that time has come. Most expiries are far off, which the system's coarse monotonic tick, a quarter of the price, can tell.
    /// </summary>
    public bool HasPassed(long atMs) =>
        (!_hasCoarse || Environment.TickCount64 - _coarseStart + CoarseLagMs >= atMs) && NowMs >= atMs;

    private long Latest(long nowMs)
    {
        long latest = Volatile.Read(ref _latestMs);
        while (nowMs > latest)
        {
            long seen = Interlocked.CompareExchange(ref _latestMs, nowMs, latest);
            if (seen == latest)
            {
                return nowMs;
            }

            latest = seen;
        }

        return latest;
    }
}
