namespace Larder.Lab.Near;

/// <summary>The options for measuring writes with near streams.</summary>
internal sealed record NearWritesOptions
{
    /// <summary>Gets the number of turns; medians are compared.</summary>
    public int Turns { get; init; } = 7;

    /// <summary>Gets the measured seconds of a turn.</summary>
    public double Seconds { get; init; } = 1.5;

    /// <summary>Gets the seconds of warm-up before a turn.</summary>
    public double WarmupSeconds { get; init; } = 0.5;

    /// <summary>Gets the numbers of calls in flight, one row for each.</summary>
    public IReadOnlyList<int> InFlight { get; init; } = [50, 1_000];

    /// <summary>Gets the number of keys that are written.</summary>
    public int Keys { get; init; } = 1_000;

    /// <summary>Gets the reads per second of all clients that read what is written.</summary>
    public double ReadsPerSecond { get; init; } = 20_000;

    /// <summary>Gets the number of keys that every stream registers and that are then written once.</summary>
    public int NotedKeys { get; init; } = 20_000;

    /// <summary>Gets the maximum number of near streams.</summary>
    public int Streams { get; init; } = 100;
}
