namespace Larder.Server.Topics;

/// <summary>Statistics of one topic.</summary>
internal sealed record TopicCounters
{
    public required TopicKey Key { get; init; }

    /// <summary>Gets the position of the newest message.</summary>
    public TopicPosition Newest { get; init; }

    public int Subscribers { get; init; }

    /// <summary>Gets the number of messages since the topic was created on this server.</summary>
    public long Messages { get; init; }

    /// <summary>Gets the size of their values in bytes.</summary>
    public long MessageBytes { get; init; }

    /// <summary>Gets the number of messages delivered to subscribers' connections.</summary>
    public long Deliveries { get; init; }

    /// <summary>Gets the number of discontinuities sent.</summary>
    public long Gaps { get; init; }

    /// <summary>Gets the number of messages kept for resuming, and the size of their values in bytes.</summary>
    public long Kept { get; init; }

    /// <inheritdoc cref="Kept"/>
    public long KeptBytes { get; init; }

    /// <summary>Gets the number of messages by which the slowest subscriber is behind.</summary>
    public long SlowestBehind { get; init; }
}
