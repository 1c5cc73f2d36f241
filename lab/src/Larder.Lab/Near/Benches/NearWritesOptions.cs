namespace Larder.Lab.Near;

/// <summary>What the writes beside near streams are measured with.</summary>
internal sealed record NearWritesOptions
{
    /// <summary>Turns of each; medians are compared.</summary>
    public int Turns { get; init; } = 7;

    /// <summary>Measured seconds of a turn.</summary>
    public double Seconds { get; init; } = 1.5;

    /// <summary>Seconds before it that are not measured.</summary>
    public double WarmupSeconds { get; init; } = 0.5;

    /// <summary>Calls in flight, a row each.</summary>
    public IReadOnlyList<int> InFlight { get; init; } = [50, 1_000];

    /// <summary>Keys that are written.</summary>
    public int Keys { get; init; } = 1_000;

    /// <summary>Reads a second of all who read what is written.</summary>
    public double ReadsPerSecond { get; init; } = 20_000;

    /// <summary>Keys of which every stream has a note, and that are then written once.</summary>
    public int NotedKeys { get; init; } = 20_000;

    /// <summary>The most near streams that are tried.</summary>
    public int Streams { get; init; } = 100;
}
