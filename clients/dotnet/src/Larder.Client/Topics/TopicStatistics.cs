namespace Larder.Client;

/// <summary>What a client's subscriptions hold now, and have brought since the client was made.</summary>
public sealed record TopicStatistics
{
    /// <summary>Subscriptions that are being read, connected or not.</summary>
    public required int Subscriptions { get; init; }

    /// <summary>Connections of their own that they have: one for each 100.</summary>
    public required int Connections { get; init; }

    /// <summary>Items told.</summary>
    public required long Items { get; init; }

    /// <summary>Discontinuities told.</summary>
    public required long Discontinuities { get; init; }

    /// <summary>Times that a lost stream was asked for again.</summary>
    public required long Reconnects { get; init; }
}
