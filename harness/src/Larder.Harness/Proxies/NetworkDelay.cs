namespace Larder.Harness.Proxies;

/// <summary>A network between two programs: so long for the way there and back, and up to so much more by chance.</summary>
/// <param name="RoundTrip">Added to each call's way there and back, half each way.</param>
/// <param name="Jitter">Added on top, even between 0 and this, half each way.</param>
public sealed record NetworkDelay(TimeSpan RoundTrip, TimeSpan Jitter = default)
{
    /// <summary>How a thread sleeps until something is due: for at most what it is told. Default: the system's, which wakes up to a millisecond late.</summary>
    public Action<TimeSpan> Sleep { get; init; } = Thread.Sleep;
}
