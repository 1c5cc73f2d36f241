namespace Larder.Server.Topics;

/// <summary>The bounds of topics.</summary>
internal sealed record TopicLimits
{
    /// <summary>The largest value of a message in bytes.</summary>
    public const int MaxMessageBytes = 1 << 20;

    /// <summary>Kept for resuming: so many messages of a topic, and so many bytes of values; the newest is kept whatever its size.</summary>
    public const int KeptMessages = 1_000;

    /// <inheritdoc cref="KeptMessages"/>
    public const int KeptBytes = 1 << 20;

    /// <summary>How far a reader may be behind: messages, and bytes of values, that came while it took nothing. Past either it has a gap.</summary>
    public const int QueuedMessages = 256;

    /// <inheritdoc cref="QueuedMessages"/>
    public const int QueuedBytes = 4 << 20;

    /// <summary>See <see cref="SubscribersPerTopic"/>.</summary>
    public const int DefaultSubscribersPerTopic = 10_000;

    /// <summary>See <see cref="TopicsPerCache"/>.</summary>
    public const int DefaultTopicsPerCache = 10_000;

    /// <summary>After this long without subscribers and publishes a topic is forgotten.</summary>
    public static readonly TimeSpan ForgottenAfter = TimeSpan.FromMinutes(10);

    /// <summary>Topics of one cache, 1 or more; a publish or subscription to one more is refused. Default 10,000.</summary>
    public int TopicsPerCache { get; init; } = DefaultTopicsPerCache;

    /// <summary>Subscribers of one topic, 1 or more; one more is refused. Default 10,000.</summary>
    public int SubscribersPerTopic { get; init; } = DefaultSubscribersPerTopic;

    /// <summary>A subscription that has been silent for so long brings a heartbeat. Default 1 s.</summary>
    public TimeSpan Heartbeat { get; init; } = TimeSpan.FromSeconds(1);
}
