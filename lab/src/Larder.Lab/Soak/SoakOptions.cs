using Larder.Tuner.Bench;

namespace Larder.Lab.Soak;

/// <summary>What a soak was asked to do.</summary>
internal sealed record SoakOptions
{
    /// <summary>The client.</summary>
    public string Client { get; init; } = "dotnet";

    /// <summary>Its transport.</summary>
    public string Transport { get; init; } = "auto";

    /// <summary>Time under load. Default 10 minutes.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Part of the best throughput to load it with.</summary>
    public double ShareOfBest { get; init; } = 0.8;

    /// <summary>Callers of the closed-loop rungs that the best throughput is taken from.</summary>
    public IReadOnlyList<int> Ladder { get; init; } = [50, 100, 200, 500, 1000];

    /// <summary>Mean time between resets of a connection; each gap is drawn from half to one and a half of it. Default 3 s.</summary>
    public TimeSpan BetweenResets { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>Time between samples of memory. Default 10 s.</summary>
    public TimeSpan BetweenSamples { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The agent's configuration: its deadline is the longest that a call may take.</summary>
    public string Configuration { get; init; } = "laptop";

    /// <summary>Seed of the faults.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The client's settings in the terms of a sweep.</summary>
    public BenchOptions ForBench() => new()
    {
        Rungs = [.. Ladder.Select(callers => new Rung(callers, new Cap(CapKind.Default)))],
        Transports = [Transport],
        Configuration = Configuration,
        Seconds = 3,
        WarmupSeconds = 1,
    };
}
