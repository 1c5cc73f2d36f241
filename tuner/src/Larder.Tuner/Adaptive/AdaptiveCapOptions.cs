namespace Larder.Tuner.Adaptive;

/// <summary>What an <see cref="AdaptiveCap"/> aims at, and between which bounds.</summary>
internal sealed record AdaptiveCapOptions
{
    /// <summary>Latency that at most 1 call in 1,000 may exceed.</summary>
    public required TimeSpan Target { get; init; }

    /// <summary>Cap to begin with. Default 16.</summary>
    public int Initial { get; init; } = 16;

    /// <summary>Smallest cap. Default 1.</summary>
    public int Least { get; init; } = 1;

    /// <summary>Largest cap. Default 5,000.</summary>
    public int Most { get; init; } = 5000;

    /// <summary>
    /// Calls after which a window is judged: 2,000 hold two that may exceed the target, the fewest of which one more or less is no accident.
    /// </summary>
    public int WindowCalls { get; init; } = 2000;

    /// <summary>Time after which it is judged with fewer, at 100 calls or more. Default 2 s.</summary>
    public TimeSpan WindowTime { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Rest after a target was found to be out of reach, before it is tried again; doubles to eight times as much. Default 5 s.</summary>
    public TimeSpan Rest { get; init; } = TimeSpan.FromSeconds(5);
}
