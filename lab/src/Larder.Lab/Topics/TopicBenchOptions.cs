namespace Larder.Lab.Topics;

/// <summary>The options of <c>larder lab topics</c>.</summary>
internal sealed record TopicBenchOptions
{
    /// <summary>Gets the numbers of subscribers of the topic. The table has a row for each number.</summary>
    public IReadOnlyList<int> Subscribers { get; init; } = [1, 100, 1_000];

    /// <summary>Gets the peers to measure, alternately.</summary>
    public IReadOnlyList<string> Peers { get; init; } = ["larder", "redis", "nats"];

    /// <summary>Gets the number of measurements (turns) of each peer. The medians are shown.</summary>
    public int Rounds { get; init; } = 5;

    /// <summary>Gets the duration of a turn without its warm-up, in seconds.</summary>
    public double Seconds { get; init; } = 2;

    /// <summary>Gets the seconds of warm-up before a turn.</summary>
    public double WarmupSeconds { get; init; } = 0.5;

    /// <summary>Gets the size of a message, in bytes.</summary>
    public int MessageBytes { get; init; } = 100;

    /// <summary>Gets the number of messages in flight in the closed loop.</summary>
    public int Window { get; init; } = 32;

    /// <summary>Gets the rate at which the latency of all peers is measured, as a share of the highest rate of the slowest peer.</summary>
    public double Fraction { get; init; } = 0.5;

    /// <summary>Gets the calls per second that another client makes while a topic is busy. 0 skips this measurement.</summary>
    public double CallsPerSecond { get; init; } = 2_000;
}
