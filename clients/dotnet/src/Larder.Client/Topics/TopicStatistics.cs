namespace Larder.Client;

/// <summary>The statistics of a client's subscriptions since the client was created.</summary>
public sealed record TopicStatistics
{
    /// <summary>Gets the current number of active subscriptions, connected or not.</summary>
    public required int Subscriptions { get; init; }

    /// <summary>Gets the number of open connections for subscriptions: one per 100.</summary>
    public required int Connections { get; init; }

    /// <summary>Gets the number of items received.</summary>
    public required long Items { get; init; }

    /// <summary>Gets the number of discontinuities reported.</summary>
    public required long Discontinuities { get; init; }

    /// <summary>Gets how often a lost stream was requested again.</summary>
    public required long Reconnects { get; init; }
}
