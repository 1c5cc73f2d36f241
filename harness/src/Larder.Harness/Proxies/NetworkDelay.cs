namespace Larder.Harness.Proxies;

/// <summary>The delay of a network between two programs.</summary>
/// <param name="RoundTrip">The round-trip delay, half in each direction.</param>
/// <param name="Jitter">The maximum additional round-trip delay. The additional delay is uniformly distributed between 0 and this value. Half of it is applied
/// in each direction.</param>
public sealed record NetworkDelay(TimeSpan RoundTrip, TimeSpan Jitter = default)
{
    /// <summary>
    /// Gets the function with which a thread sleeps until data is due. The function must not sleep longer than requested. The default is Thread.Sleep, which
    /// can return up to a millisecond late.
    /// </summary>
    public Action<TimeSpan> Sleep { get; init; } = Thread.Sleep;
}
