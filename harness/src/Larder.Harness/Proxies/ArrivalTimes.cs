using System.Diagnostics;

namespace Larder.Harness.Proxies;

/// <summary>
/// When what is read now is to arrive, in the stopwatch's ticks: half the delay and half of some jitter later, and never before what was read earlier.
/// </summary>
internal sealed class ArrivalTimes(NetworkDelay delay, int seed)
{
    private readonly Random _random = new(seed);
    private long _last;

    /// <summary>The time for what is read at <paramref name="now"/>; called in order.</summary>
    public long Next(long now)
    {
        double seconds = (delay.RoundTrip.TotalSeconds + (delay.Jitter.TotalSeconds * _random.NextDouble())) / 2;
        return _last = Math.Max(_last, now + (long)(seconds * Stopwatch.Frequency));
    }
}
