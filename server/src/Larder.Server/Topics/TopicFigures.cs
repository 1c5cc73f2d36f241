namespace Larder.Server.Topics;

/// <summary>What is told of one topic.</summary>
internal sealed record TopicFigures
{
    public required TopicKey Key { get; init; }

    /// <summary>The place of its newest message.</summary>
    public TopicPosition Newest { get; init; }

    /// <summary>Who follows it now.</summary>
    public int Subscribers { get; init; }

    /// <summary>Messages since it was begun here.</summary>
    public long Messages { get; init; }

    /// <summary>Bytes of their values.</summary>
    public long MessageBytes { get; init; }

    /// <summary>Messages given to subscribers' connections.</summary>
    public long Deliveries { get; init; }

    /// <summary>Discontinuities told.</summary>
    public long Gaps { get; init; }

    /// <summary>Messages kept for resuming, and the bytes of their values.</summary>
    public long Kept { get; init; }

    /// <inheritdoc cref="Kept"/>
    public long KeptBytes { get; init; }

    /// <summary>How many messages the slowest subscriber is behind.</summary>
    public long SlowestBehind { get; init; }
}
