namespace Larder.Tuner.Tune.UnderTest;

/// <summary>
/// The load for a client under test. It consists of the number of callers, the client's concurrency limit (null for the default of the configuration) and, in
/// the open loop, the rate with random or uniform intervals.
/// </summary>
internal sealed record OfferedLoad(
    int Callers,
    int? Cap,
    double Seconds,
    int Seed = 1,
    double? RatePerSecond = null,
    bool Preload = false,
    double WarmupSeconds = OfferedLoad.UsualWarmupSeconds,
    bool Uniform = false)
{
    /// <summary>The warm-up time after a client is opened in a process that is already warm.</summary>
    public const double UsualWarmupSeconds = 0.25;

    /// <summary>
    /// Gets the target in µs to which the client adapts its limit. <see cref="Cap"/> is then the maximum of the limit. Null for a fixed limit.
    /// </summary>
    public double? AdaptiveTargetUs { get; init; }

    /// <summary>Gets the length of the time slices in ms, or null for the default of the timeline.</summary>
    public int? SliceMs { get; init; }

    /// <summary>Gets whether to also measure the latency without the waiting time for the limit.</summary>
    public bool FromPermit { get; init; }
}
