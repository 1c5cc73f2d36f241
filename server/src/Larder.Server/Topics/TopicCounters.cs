namespace Larder.Server.Topics;

/// <summary>Statistics of one topic.</summary>
internal sealed record TopicCounters
{
    public required TopicKey Key { get; init; }

    /// <summary>Gets the position of the newest message.</summary>
    public TopicPosition Newest { get; init; }

    public int Subscribers { get; init; }

    /// <summary>Gets the number of messages that this server received since it created the topic.</summary>
    public long Messages { get; init; }

    /// <summary>Gets the total size of the values of the messages that <see cref="Messages"/> counts, in bytes.</summary>
    public long MessageBytes { get; init; }

    /// <summary>Gets the number of messages delivered to subscribers' connections.</summary>
    public long Deliveries { get; init; }

    /// <summary>Gets the number of discontinuities sent.</summary>
    public long Gaps { get; init; }

    /// <summary>Gets the number of messages kept for resuming, and the total size of their values in bytes.</summary>
    public long Kept { get; init; }

    /// <inheritdoc cref="Kept"/>
    public long KeptBytes { get; init; }

    /// <summary>Gets the number of messages that the slowest subscriber has not received yet.</summary>
    public long SlowestBehind { get; init; }
}
