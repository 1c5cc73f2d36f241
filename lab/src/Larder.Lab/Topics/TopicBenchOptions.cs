namespace Larder.Lab.Topics;

/// <summary>What <c>larder lab topics</c> was asked to do.</summary>
internal sealed record TopicBenchOptions
{
    /// <summary>Subscribers of the one topic, a table's row each.</summary>
    public IReadOnlyList<int> Subscribers { get; init; } = [1, 100, 1_000];

    /// <summary>Who is measured, in turns.</summary>
    public IReadOnlyList<string> Peers { get; init; } = ["larder", "redis", "nats"];

    /// <summary>Turns of each; medians are shown.</summary>
    public int Rounds { get; init; } = 5;

    /// <summary>Measured seconds of a turn.</summary>
    public double Seconds { get; init; } = 2;

    /// <summary>Seconds before it that are not measured.</summary>
    public double WarmupSeconds { get; init; } = 0.5;

    /// <summary>Bytes of a message.</summary>
    public int MessageBytes { get; init; } = 100;

    /// <summary>Messages under way at a time in the closed loop.</summary>
    public int Window { get; init; } = 32;

    /// <summary>The part of the slowest's highest rate at which all are timed.</summary>
    public double Fraction { get; init; } = 0.5;

    /// <summary>Calls a second that are made beside a busy topic; 0: none are measured.</summary>
    public double CallsPerSecond { get; init; } = 2_000;
}
