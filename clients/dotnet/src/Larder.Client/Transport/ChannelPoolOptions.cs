namespace Larder.Client;

/// <summary>The bounds of a <see cref="ChannelPool"/>.</summary>
internal sealed record ChannelPoolOptions
{
    /// <summary>The streams that a server allows on one connection: 100 by its default (LIM-6). More would wait unseen inside the HTTP stack.</summary>
    public const int StreamsPerChannel = 100;

    /// <summary>The server's host and port, for the log.</summary>
    public required string Endpoint { get; init; }

    /// <summary>Channels opened as soon as there is work.</summary>
    public required int Least { get; init; }

    /// <summary>Channels at most: only without a cap do calls need more than <see cref="Least"/>. Beyond, they wait for a stream.</summary>
    public int Most { get; init; } = 100;

    /// <summary>Failure to connect for this long makes calls fail at once instead of waiting: <see cref="RetryPolicy.Grace"/>.</summary>
    public required TimeSpan FailFastAfter { get; init; }
}
