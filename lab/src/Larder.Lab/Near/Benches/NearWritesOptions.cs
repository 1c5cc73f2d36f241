namespace Larder.Lab.Near;

/// <summary>The options for measuring writes with near streams.</summary>
internal sealed record NearWritesOptions
{
    /// <summary>Gets the number of turns of each server. The medians are compared.</summary>
    public int Turns { get; init; } = 7;

    /// <summary>Gets the measured seconds of a turn.</summary>
    public double Seconds { get; init; } = 1.5;

    /// <summary>Gets the seconds of warm-up before a turn.</summary>
    public double WarmupSeconds { get; init; } = 0.5;

    /// <summary>Gets the numbers of calls in flight. The table has a row for each number.</summary>
    public IReadOnlyList<int> InFlight { get; init; } = [50, 1_000];

    /// <summary>Gets the number of keys that are written.</summary>
    public int Keys { get; init; } = 1_000;

    /// <summary>Gets the reads per second of all clients together. They read the keys that are written.</summary>
    public double ReadsPerSecond { get; init; } = 20_000;

    /// <summary>Gets the number of keys for the turn in which every near stream registers each key and each key is then written once.</summary>
    public int NotedKeys { get; init; } = 20_000;

    /// <summary>Gets the maximum number of near streams.</summary>
    public int Streams { get; init; } = 100;
}
