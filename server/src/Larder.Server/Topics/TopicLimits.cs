namespace Larder.Server.Topics;

/// <summary>The limits of topics.</summary>
internal sealed record TopicLimits
{
    /// <summary>The maximum size of a message's value in bytes.</summary>
    public const int MaxMessageBytes = 1 << 20;

    /// <summary>
    /// The maximum number of messages that a topic keeps for resuming, and the maximum total size of their values. The newest message is always kept.
    /// </summary>
    public const int KeptMessages = 1_000;

    /// <inheritdoc cref="KeptMessages"/>
    public const int KeptBytes = 1 << 20;

    /// <summary>
    /// The number of messages by which a reader that accepts nothing may be behind, and the total size of their values. If either limit is exceeded, the reader
    /// misses messages and receives a discontinuity.
    /// </summary>
    public const int QueuedMessages = 256;

    /// <inheritdoc cref="QueuedMessages"/>
    public const int QueuedBytes = 4 << 20;

    /// <summary>The default of <see cref="SubscribersPerTopic"/>.</summary>
    public const int DefaultSubscribersPerTopic = 10_000;

    /// <summary>The default of <see cref="TopicsPerCache"/>.</summary>
    public const int DefaultTopicsPerCache = 10_000;

    /// <summary>The time without subscribers and publishes after which a topic is removed.</summary>
    public static readonly TimeSpan DeletedAfterIdle = TimeSpan.FromMinutes(10);

    /// <summary>
    /// Gets the maximum number of topics per cache, at least 1. When it is reached, publishing or subscribing to another topic fails. The default is 10,000.
    /// </summary>
    public int TopicsPerCache { get; init; } = DefaultTopicsPerCache;

    /// <summary>
    /// Gets the maximum number of subscribers per topic, at least 1. When it is reached, further subscribers are rejected. The default is 10,000.
    /// </summary>
    public int SubscribersPerTopic { get; init; } = DefaultSubscribersPerTopic;

    /// <summary>Gets the idle time after which a subscription receives a heartbeat. The default is 1 s.</summary>
    public TimeSpan Heartbeat { get; init; } = TimeSpan.FromSeconds(1);
}
