namespace Larder.Tuner.Tune.UnderTest;

/// <summary>
/// The load offered to a client under test: callers, the client's cap (null: the configuration's own), and in the open loop the rate, by gaps of chance or
/// all alike.
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
    /// <summary>What a process that is warm needs after its client was opened.</summary>
    public const double UsualWarmupSeconds = 0.25;

    /// <summary>The target that the client adapts its cap to, in µs; <see cref="Cap"/> is then the largest. Null: the cap is fixed.</summary>
    public double? AdaptiveTargetUs { get; init; }

    /// <summary>Whether latency from the permit to the end is measured too.</summary>
    public bool FromPermit { get; init; }
}
