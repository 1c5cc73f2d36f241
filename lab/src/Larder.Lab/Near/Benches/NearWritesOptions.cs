namespace Larder.Lab.Near;

/// <summary>The options for measuring writes with near streams.</summary>
internal sealed record NearWritesOptions
{
    /// <summary>Gets the number of measurements (turns) of each server. The medians are compared.</summary>
    public int Turns { get; init; } = 7;

    /// <summary>Gets the duration of a turn without its warm-up, in seconds.</summary>
    public double Seconds { get; init; } = 1.5;

    /// <summary>Gets the seconds of warm-up before a turn.</summary>
    public double WarmupSeconds { get; init; } = 0.5;

    /// <summary>Gets the numbers of calls in flight. The table has a row for each number.</summary>
    public IReadOnlyList<int> InFlight { get; init; } = [50, 1_000];

    /// <summary>Gets the number of keys that are written.</summary>
    public int Keys { get; init; } = 1_000;

    /// <summary>Gets the reads per second of all clients together. They read the keys that are written.</summary>
    public double ReadsPerSecond { get; init; } = 20_000;

    /// <summary>Gets the number of keys in the last situation. There, every near stream first registers all keys, and then each key is written once.</summary>
    public int NotedKeys { get; init; } = 20_000;

    /// <summary>Gets the server program, or null for the server of this checkout.</summary>
    public string? ServerProgram { get; init; }

    /// <summary>Gets the maximum number of near streams.</summary>
    public int Streams { get; init; } = 100;
}
