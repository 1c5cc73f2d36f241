namespace Larder.Client;

/// <summary>The options of a <see cref="ChannelPool"/>.</summary>
internal sealed record ChannelPoolOptions
{
    /// <summary>
    /// The number of streams that a server permits on one connection, by default 100 (LIM-6). If the client started more calls on a connection, they would wait
    /// inside the HTTP stack, where the client does not see them.
    /// </summary>
    public const int StreamsPerChannel = 100;

    /// <summary>Gets the server's host and port, for the log.</summary>
    public required string Endpoint { get; init; }

    /// <summary>Gets the minimum number of channels. They are opened when they are first needed, not when the pool is created.</summary>
    public required int Least { get; init; }

    /// <summary>
    /// Gets the maximum number of channels. More channels than <see cref="Least"/> are needed only if there is no concurrency limit. When this many channels
    /// are open and all their streams are in use, calls wait for a free stream. The default is 100.
    /// </summary>
    public int Most { get; init; } = 100;

    /// <summary>
    /// Gets the grace period, <see cref="RetryPolicy.Grace"/>. It begins when the first attempt to connect fails. During this period, calls wait for a
    /// connection. If no attempt has succeeded when the period ends, calls fail immediately.
    /// </summary>
    public required TimeSpan FailFastAfter { get; init; }
}
