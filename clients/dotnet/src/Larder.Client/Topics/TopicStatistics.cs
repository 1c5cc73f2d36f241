namespace Larder.Client;

/// <summary>The statistics of a client's subscriptions since the client was created.</summary>
public sealed record TopicStatistics
{
    /// <summary>Gets the current number of active subscriptions, whether connected or not.</summary>
    public required int Subscriptions { get; init; }

    /// <summary>Gets the current number of open connections for subscriptions. A connection has at most 100 subscriptions.</summary>
    public required int Connections { get; init; }

    /// <summary>Gets the number of items received.</summary>
    public required long Items { get; init; }

    /// <summary>Gets the number of discontinuities reported.</summary>
    public required long Discontinuities { get; init; }

    /// <summary>Gets the number of times that a subscription has reconnected after its stream was lost.</summary>
    public required long Reconnects { get; init; }
}
