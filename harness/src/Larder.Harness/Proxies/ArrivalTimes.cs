using System.Diagnostics;

namespace Larder.Harness.Proxies;

/// <summary>
/// Computes when received bytes are delivered, in stopwatch ticks. Bytes are delivered after half of the delay plus half of a random jitter, and never before
/// earlier bytes.
/// </summary>
internal sealed class ArrivalTimes(NetworkDelay delay, int seed)
{
    private readonly Random _random = new(seed);
    private long _last;

    /// <summary>
    /// Returns the delivery time of bytes received at <paramref name="now"/>. Call this method in the order in which the bytes were received.
    /// </summary>
    public long Next(long now)
    {
        double seconds = (delay.RoundTrip.TotalSeconds + (delay.Jitter.TotalSeconds * _random.NextDouble())) / 2;
        return _last = Math.Max(_last, now + (long)(seconds * Stopwatch.Frequency));
    }
}
