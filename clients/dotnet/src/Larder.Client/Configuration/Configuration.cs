namespace Larder.Client;

/// <summary>
/// The configuration of a client. It is immutable. To change a setting, create a copy: <c>Configurations.Laptop.Latest() with { MaxInFlightUnary = 50 }</c>.
/// The settings are checked when a client is created. An invalid setting throws an <see cref="ArgumentOutOfRangeException"/> with the name of the setting. The
/// clients of all languages have the same settings, which are specified in protocol/spec/configuration.md.
/// </summary>
public sealed partial record Configuration
{
    /// <summary>The value of <see cref="MaxInFlightUnary"/> and <see cref="MaxInFlightPipeline"/> that means unlimited.</summary>
    public const int Unlimited = int.MaxValue;

    /// <summary>
    /// Gets the timeout of a call, including waiting, sending and retrying: 1 ms to 1 h. If the client is near the server, use a short timeout, because a late
    /// response is then no better than a miss. If the client is far from the server, use a longer timeout. The default is 5 s, the value of the published
    /// Laptop configuration (protocol/spec/configuration.md).
    /// </summary>
    public TimeSpan RequestTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Gets the maximum number of unary requests in flight, over all of the client's channels. Further requests wait in the queue. The range is 1 to 100,000,
    /// or <see cref="Unlimited"/>. Raise the limit for more throughput, up to the point where latency starts to rise. Lower the limit for less latency. The
    /// default is 200, from published tuning runs (protocol/spec/configuration.md).
    /// </summary>
    public int MaxInFlightUnary { get; init; } = 200;

    /// <summary>
    /// Gets the maximum number of requests in flight on the pipelined transport, which supports more concurrent requests than the unary transport. The range is
    /// 1 to 100,000, or <see cref="Unlimited"/>. The default is 1,000. In the first measurements of this transport, this was the highest limit at which p99.9
    /// stayed near 5 ms.
    /// </summary>
    public int MaxInFlightPipeline { get; init; } = 1_000;

    /// <summary>
    /// Gets the target latency of an adaptive limit on requests in flight. The latency is the 99.9th percentile (p99.9) of the duration of calls, without their
    /// wait in the queue. The client adapts the limit between 1 and the fixed limit of the transport (<see cref="MaxInFlightUnary"/> or
    /// <see cref="MaxInFlightPipeline"/>), but at most 100,000. The initial limit is 16. Set a target if the server's speed changes or the limit is not tuned.
    /// The range is 100 µs to <see cref="RequestTimeout"/>. The default is null: the limit is fixed. The rules are specified in protocol/spec/adaptive-cap.md.
    /// </summary>
    public TimeSpan? AdaptiveTarget { get; init; }

    /// <summary>
    /// Gets the number of connections for pipelined calls to each server or gateway: 0 to 64. Each connection uses at most one processor of the client's
    /// machine. The default is 0: the client starts with one connection, and opens and closes further connections by load, up to half of the machine's
    /// processors (divided among the gateways), at most 8. A number above 0 is fixed; 1 restricts the client to one processor. It is ignored with <see
    /// cref="Transport.Unary"/>.
    /// </summary>
    public int PipelineConnections { get; init; }

    /// <summary>
    /// Gets the maximum number of calls in the queue. Further calls fail immediately with <see cref="CacheErrorCode.ClientOverloaded"/>. The range is 0 to
    /// 1,000,000. The default is 20,000, which is a wait of two seconds at 10,000 responses per second.
    /// </summary>
    public int QueueLimit { get; init; } = 20_000;

    /// <summary>
    /// Gets the minimum number of channels (connections) for unary calls. The range is 0 to 100. The default is 0: the number is computed from the concurrency
    /// limit, with one channel for each 100 calls, because a server allows 100 streams on a connection.
    /// </summary>
    public int Channels { get; init; }

    /// <summary>Gets the maximum number of retries of a call within its deadline: 0 to 10. The default is 3 (RETRY-4).</summary>
    public int MaxRetries { get; init; } = 3;

    /// <summary>
    /// Gets the retry budget: the number of retries per call, averaged over time, from 0 to 1. The default is 0.1, so retries increase the load on an
    /// overloaded server by at most a tenth.
    /// </summary>
    public double RetryBudget { get; init; } = 0.1;

    /// <summary>
    /// Gets the maximum delay before the first retry: 1 ms to 10 s. The maximum doubles with each further retry. The default is 80 ms. With this
    /// default, three retries outlast the period in which a server rejects calls after its process was paused (RETRY-11).
    /// </summary>
    public TimeSpan InitialBackOff { get; init; } = TimeSpan.FromMilliseconds(80);

    /// <summary>Gets the maximum delay before a retry or a reconnection: <see cref="InitialBackOff"/> to 1 min. The default is 1 s.</summary>
    public TimeSpan MaxBackOff { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Gets the transport, which determines how calls are sent. The default is <see cref="Transport.Auto"/>.</summary>
    public Transport Transport { get; init; } = Transport.Auto;

    /// <summary>Gets whether <c>CacheClient.CreateAsync</c> connects before it returns. The default is false: the first call connects.</summary>
    public bool EagerConnect { get; init; }

    /// <summary>
    /// Gets the idle time after which the client pings a connection, even if no calls are in progress: 1 s to 1 h. If null, connections are never pinged. The
    /// default is 5 s, an interval that the server permits. Together with <see cref="KeepaliveTimeout"/>, the interval limits how long a half-open connection
    /// stays undetected.
    /// </summary>
    public TimeSpan? KeepaliveInterval { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Gets the time to wait for a ping's acknowledgement before the connection is closed: 1 s to 1 min. The default is 1 s.</summary>
    public TimeSpan KeepaliveTimeout { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Gets the timeout of one attempt to connect: 1 ms to 1 min. The default is 5 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Gets the settings of the near cache. The near cache contains copies of values in the client's memory. When a value changes, the server invalidates the
    /// copy. A get that finds a copy makes no call to the server. Use a near cache for values that are read far more often than written. A near cache cannot be
    /// combined with <see cref="Transport.Unary"/>. If the server does not support near caches, calls work without one. The default is null: no near cache.
    /// </summary>
    public NearCache? NearCache { get; init; }

    /// <summary>The maximum limit other than <see cref="Unlimited"/>.</summary>
    internal const int MaxInFlight = 100_000;

    /// <summary>The maximum timeout of a call.</summary>
    internal static readonly TimeSpan LongestTimeout = TimeSpan.FromHours(1);

    internal int EffectiveChannels =>
        Channels > 0 ? Channels
        : MaxInFlightUnary == Unlimited ? 1
        : (MaxInFlightUnary + ChannelPoolOptions.StreamsPerChannel - 1) / ChannelPoolOptions.StreamsPerChannel;

    internal void Validate()
    {
        InRange(RequestTimeout, TimeSpan.FromMilliseconds(1), LongestTimeout, nameof(RequestTimeout));
        CapInRange(MaxInFlightUnary, nameof(MaxInFlightUnary));
        CapInRange(MaxInFlightPipeline, nameof(MaxInFlightPipeline));
        InRange(AdaptiveTarget ?? RequestTimeout, TimeSpan.FromMicroseconds(100), RequestTimeout, nameof(AdaptiveTarget));
        InRange(QueueLimit, 0, 1_000_000, nameof(QueueLimit));
        InRange(Channels, 0, 100, nameof(Channels));
        InRange(PipelineConnections, 0, 64, nameof(PipelineConnections));
        InRange(MaxRetries, 0, 10, nameof(MaxRetries));
        InRange(RetryBudget, 0.0, 1.0, nameof(RetryBudget));
        InRange(InitialBackOff, TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(10), nameof(InitialBackOff));
        InRange(MaxBackOff, InitialBackOff, TimeSpan.FromMinutes(1), nameof(MaxBackOff));
        InRange(KeepaliveInterval ?? TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), TimeSpan.FromHours(1), nameof(KeepaliveInterval));
        InRange(KeepaliveTimeout, TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1), nameof(KeepaliveTimeout));
        InRange(ConnectTimeout, TimeSpan.FromMilliseconds(1), TimeSpan.FromMinutes(1), nameof(ConnectTimeout));
        if (!Enum.IsDefined(Transport))
        {
            throw new ArgumentOutOfRangeException(nameof(Transport), Transport, "Transport must be Auto, Unary or Pipeline.");
        }

        CheckHeaders();
        NearCache?.Validate();
        if (NearCache is not null && Transport == Transport.Unary)
        {
            throw new ArgumentOutOfRangeException(
                nameof(NearCache), NearCache, "NearCache cannot be combined with Transport = Unary, because invalidations are sent over the pipeline.");
        }
    }

    private static void CapInRange(int cap, string name)
    {
        if (cap != Unlimited)
        {
            InRange(cap, 1, MaxInFlight, name);
        }
    }

    private static void InRange<T>(T value, T least, T most, string name)
        where T : IComparable<T>
    {
        if (value.CompareTo(least) < 0 || value.CompareTo(most) > 0)
        {
            throw new ArgumentOutOfRangeException(name, value, $"{name} must be {least} to {most}, but is {value}.");
        }
    }
}
