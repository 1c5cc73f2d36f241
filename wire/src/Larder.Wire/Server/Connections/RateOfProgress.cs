namespace Larder.Wire;

/// <summary>
/// Whether something moves at a rate, judged over one span of time after another. A byte now and then is no progress: what counts is how many there were since
/// the span began. A function of a clock and a count.
/// </summary>
internal struct RateOfProgress
{
    private long _sinceMs;
    private long _bytes;

    /// <summary>Begins a span.</summary>
    /// <param name="nowMs">The time.</param>
    /// <param name="bytes">What has moved so far.</param>
    public void Begin(long nowMs, long bytes)
    {
        _sinceMs = nowMs;
        _bytes = bytes;
    }

    /// <summary>True where the span is over and too little has moved; where enough has, the next one begins.</summary>
    /// <param name="nowMs">The time.</param>
    /// <param name="bytes">What has moved so far.</param>
    /// <param name="span">How long to look.</param>
    /// <param name="bytesPerSecond">The rate that is asked.</param>
    public bool IsTooSlow(long nowMs, long bytes, TimeSpan span, double bytesPerSecond)
    {
        long elapsedMs = nowMs - _sinceMs;
        if (elapsedMs < span.TotalMilliseconds)
        {
            return false;
        }

        if (bytes - _bytes < bytesPerSecond * elapsedMs / 1000.0)
        {
            return true;
        }

        Begin(nowMs, bytes);
        return false;
    }
}
