namespace Larder.Lab.Topics;

/// <summary>The options of <c>larder lab topics</c>.</summary>
internal sealed record TopicBenchOptions
{
    /// <summary>Gets the numbers of subscribers of the topic, one table row for each.</summary>
    public IReadOnlyList<int> Subscribers { get; init; } = [1, 100, 1_000];

    /// <summary>Gets the peers, which are measured alternately.</summary>
    public IReadOnlyList<string> Peers { get; init; } = ["larder", "redis", "nats"];

    /// <summary>Gets the number of turns of each peer; medians are shown.</summary>
    public int Rounds { get; init; } = 5;

    /// <summary>Gets the measured seconds of a turn.</summary>
    public double Seconds { get; init; } = 2;

    /// <summary>Gets the seconds of warm-up before a turn.</summary>
    public double WarmupSeconds { get; init; } = 0.5;

    /// <summary>Gets the size of a message, in bytes.</summary>
    public int MessageBytes { get; init; } = 100;

    /// <summary>Gets the number of messages in flight in the closed loop.</summary>
    public int Window { get; init; } = 32;

    /// <summary>Gets the share of the slowest peer's highest rate at which all peers are timed.</summary>
    public double Fraction { get; init; } = 0.5;

    /// <summary>Gets the calls per second that are made while a topic is busy; 0 to skip this measurement.</summary>
    public double CallsPerSecond { get; init; } = 2_000;
}
