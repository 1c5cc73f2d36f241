namespace Larder.Wire;

/// <summary>
/// Checks, in consecutive periods, that data is transferred at a minimum rate. Because all bytes of a period are counted, occasional single bytes do not count
/// as progress.
/// </summary>
internal struct MinimumRate
{
    private long _sinceMs;
    private long _bytes;

    /// <summary>Begins a period.</summary>
    /// <param name="nowMs">The current time, in milliseconds.</param>
    /// <param name="bytes">The number of bytes transferred so far.</param>
    public void Begin(long nowMs, long bytes)
    {
        _sinceMs = nowMs;
        _bytes = bytes;
    }

    /// <summary>
    /// Returns true if the period is over and too few bytes were transferred. If the period is over and enough bytes were transferred, the next period begins.
    /// </summary>
    /// <param name="nowMs">The current time, in milliseconds.</param>
    /// <param name="bytes">The number of bytes transferred so far.</param>
    /// <param name="span">The length of a period.</param>
    /// <param name="bytesPerSecond">The minimum rate.</param>
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
