namespace Larder.Store;

/// <summary>
/// A clock that counts milliseconds since the store was created. It uses timestamps, which do not depend on the wall clock. If the timestamps of a custom time
/// provider decrease, the clock stops until they exceed the previous maximum, so that expired entries stay expired.
/// </summary>
internal sealed class MonotonicClock
{
    // The maximum lag of the coarse tick behind the timestamps. A timer interrupt takes at most 10 ms. The rest is a safety margin.
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

    /// <summary>The number of whole milliseconds since the store was created, rounded down.</summary>
    public long NowMs
    {
        get
        {
            long elapsed = _time.GetTimestamp() - _start;
            // The common case is a timestamp in nanoseconds. A constant divisor makes it faster.
            long nowMs = _frequency == 1_000_000_000 ? elapsed / 1_000_000 : (long)((Int128)elapsed * 1000 / _frequency);

            // The system clock is monotonic, so only other clocks need the correction.
            return _hasCoarse ? nowMs : Latest(nowMs);
        }
    }

    /// <summary>
    /// Returns whether the given time has passed. Most expiry times are far in the future. For them, the system's coarse monotonic tick is sufficient, and it
    /// costs only a quarter as much.
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
