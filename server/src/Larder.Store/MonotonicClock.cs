namespace Larder.Store;

/// <summary>Milliseconds since the store was built, from timestamps that no change of the wall clock can move.</summary>
internal sealed class MonotonicClock
{
    private readonly TimeProvider _time;
    private readonly long _start;
    private readonly long _frequency;

    public MonotonicClock(TimeProvider time)
    {
        _time = time;
        _frequency = time.TimestampFrequency;
        _start = time.GetTimestamp();
    }

    /// <summary>Whole milliseconds passed, floored.</summary>
    public long NowMs
    {
        get
        {
            long elapsed = _time.GetTimestamp() - _start;
            // Nanosecond timestamps, the usual case, are divided by a constant.
            return _frequency == 1_000_000_000 ? elapsed / 1_000_000 : (long)((Int128)elapsed * 1000 / _frequency);
        }
    }
}
