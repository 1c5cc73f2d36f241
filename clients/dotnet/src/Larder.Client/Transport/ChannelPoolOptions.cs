namespace Larder.Client;

/// <summary>The options of a <see cref="ChannelPool"/>.</summary>
internal sealed record ChannelPoolOptions
{
    /// <summary>
    /// The number of streams that a server permits on one connection: 100 by default (LIM-6). More would wait unnoticed inside the HTTP stack.
    /// </summary>
    public const int StreamsPerChannel = 100;

    /// <summary>Gets the server's host and port, for the log.</summary>
    public required string Endpoint { get; init; }

    /// <summary>Gets the minimum number of channels, opened when there is work.</summary>
    public required int Least { get; init; }

    /// <summary>
    /// Gets the maximum number of channels. Calls need more than <see cref="Least"/> only without a concurrency limit. Above the maximum they wait for a
    /// stream. The default is 100.
    /// </summary>
    public int Most { get; init; } = 100;

    /// <summary>Gets how long connecting may fail before calls fail at once instead of waiting: <see cref="RetryPolicy.Grace"/>.</summary>
    public required TimeSpan FailFastAfter { get; init; }
}
