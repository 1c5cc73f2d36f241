using Larder.Tuner.Bench;

namespace Larder.Lab.Soak;

internal sealed record SoakOptions
{
    public string Client { get; init; } = "dotnet";

    public string Transport { get; init; } = "auto";

    /// <summary>Gets the time under load. The default is 10 minutes.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Gets the load as a share of the best throughput.</summary>
    public double ShareOfBest { get; init; } = 0.8;

    /// <summary>Gets the numbers of callers to try in the closed loop that determines the best throughput.</summary>
    public IReadOnlyList<int> Ladder { get; init; } = [50, 100, 200, 500, 1000];

    /// <summary>Gets the mean time between connection resets. Each interval is between half and one and a half times the mean. The default is 3 s.</summary>
    public TimeSpan BetweenResets { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>Gets the time between memory samples. The default is 10 s.</summary>
    public TimeSpan BetweenSamples { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets the agent's configuration. Its deadline is the maximum duration of a call.</summary>
    public string Configuration { get; init; } = "laptop";

    /// <summary>Gets the seed of the faults.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Returns the client's settings as options of <c>larder bench</c>.</summary>
    public BenchOptions ForBench() => new()
    {
        Rungs = [.. Ladder.Select(callers => new Rung(callers, new Cap(CapKind.Default)))],
        Transports = [Transport],
        Configuration = Configuration,
        Seconds = 3,
        WarmupSeconds = 1,
    };
}
