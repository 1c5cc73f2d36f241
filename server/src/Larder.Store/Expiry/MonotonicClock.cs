namespace Larder.Store;

/// <summary>
/// Milliseconds since the store was created, from timestamps that a change of the wall clock does not affect. If a custom time provider goes backwards, time
/// stands still until it has caught up, so that expired entries stay expired.
/// </summary>
internal sealed class MonotonicClock
{
    // Maximum lag of the coarse tick behind the timestamps. A timer interrupt takes at most 10 ms; the rest is margin.
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

    /// <summary>Whole milliseconds since the store was created, rounded down.</summary>
    public long NowMs
    {
        get
        {
            long elapsed = _time.GetTimestamp() - _start;
            // In the common case of nanosecond timestamps, the divisor is a constant.
            long nowMs = _frequency == 1_000_000_000 ? elapsed / 1_000_000 : (long)((Int128)elapsed * 1000 / _frequency);

            // The system's clock is monotonic.
            return _hasCoarse ? nowMs : Latest(nowMs);
        }
    }

    /// <summary>
    /// Returns whether that time has passed. Most expiries are far in the future; for them the system's coarse monotonic tick suffices, at a quarter of the
    /// cost.
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
