namespace Larder.Client;

/// <summary>
/// How a client behaves. Immutable: change a copy (<c>Configurations.Laptop.Latest() with { MaxInFlightUnary = 50 }</c>); every other
/// setting stays as it was. Checked once, when a client is made: <see cref="ArgumentOutOfRangeException"/> names the setting. The same settings in every
/// client: protocol/spec/configuration.md.
/// </summary>
public sealed partial record Configuration
{
    /// <summary>The value of <see cref="MaxInFlightUnary"/> and <see cref="MaxInFlightPipeline"/> that means no cap.</summary>
    public const int Unlimited = int.MaxValue;

    /// <summary>
    /// One call's deadline: all its waiting, sending and retrying. 1 ms to 1 h. Strict beside the server (a late answer is worth no more
    /// than a miss), lenient from afar. Default 5 s: the published Laptop configuration (protocol/spec/configuration.md).
    /// </summary>
    public TimeSpan RequestTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Unary requests in flight at once, over all of the client's channels; the others wait in its queue. 1 to 100,000, or <see cref="Unlimited"/>.
    /// Raise it for throughput until latency climbs (the knee), lower it for latency. Default 200: the published tuning runs (protocol/spec/configuration.md).
    /// </summary>
    public int MaxInFlightUnary { get; init; } = 200;

    /// <summary>
    /// The same for the pipelined transport, which carries more at once. 1 to 100,000, or <see cref="Unlimited"/>.
    /// Default 1,000: the highest row of the transport's first study whose p99.9 stayed near 5 ms.
    /// </summary>
    public int MaxInFlightPipeline { get; init; } = 1_000;

    /// <summary>
    /// A cap that finds itself: the time from a call's permit to its end that at most 1 call in 1,000 may exceed (p99.9). The cap then moves between 1 and
    /// <see cref="MaxInFlightUnary"/> or <see cref="MaxInFlightPipeline"/> (at most 100,000), beginning at 16; waiting for the cap is not in it.
    /// 100 µs to <see cref="RequestTimeout"/>; null: the cap stays as it is set. Set it where the server's speed changes, or nobody has tuned the cap.
    /// Default null. Rules: protocol/spec/adaptive-cap.md.
    /// </summary>
    public TimeSpan? AdaptiveTarget { get; init; }

    /// <summary>
    /// Calls that may wait for the cap; past it a call fails at once with <see cref="CacheErrorCode.ClientOverloaded"/>. 0 to 1,000,000.
    /// Default 20,000: at 10,000 answers a second, two seconds of waiting.
    /// </summary>
    public int QueueLimit { get; init; } = 20_000;

    /// <summary>
    /// The least number of channels (connections) for unary calls; 0 lets the cap decide: one for each 100 calls, the streams that a server
    /// allows on one connection. 0 to 100. Default 0.
    /// </summary>
    public int Channels { get; init; }

    /// <summary>Sends after the first, all within the one deadline. 0 to 10. Default 3 (RETRY-4).</summary>
    public int MaxRetries { get; init; } = 3;

    /// <summary>
    /// Retries allowed for each call made, over time: the retry budget. 0 to 1. Default 0.1: a server in trouble sees at most a tenth more load.
    /// </summary>
    public double RetryBudget { get; init; } = 0.1;

    /// <summary>
    /// The longest first wait before a retry; each further one doubles it. 1 ms to 10 s. Default 80 ms: three retries outlast the 250 ms for which a server
    /// refuses calls after a pause (RETRY-11).
    /// </summary>
    public TimeSpan InitialBackOff { get; init; } = TimeSpan.FromMilliseconds(80);

    /// <summary>The longest wait before any retry or reconnection. At least <see cref="InitialBackOff"/>, at most 1 min. Default 1 s.</summary>
    public TimeSpan MaxBackOff { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How calls travel. Default <see cref="Transport.Auto"/>.</summary>
    public Transport Transport { get; init; } = Transport.Auto;

    /// <summary>True: <c>CacheClient.CreateAsync</c> returns only once it is connected. Default false: the first call connects.</summary>
    public bool EagerConnect { get; init; }

    /// <summary>
    /// Silence on a connection after which it is pinged, also without calls; null: never. 1 s to 1 h. Default 5 s, which the server tolerates.
    /// With <see cref="KeepaliveTimeout"/> it bounds how long a half-open connection goes unnoticed.
    /// </summary>
    public TimeSpan? KeepaliveInterval { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long the answer to a ping may take before the connection is given up. 1 s to 1 min. Default 1 s.</summary>
    public TimeSpan KeepaliveTimeout { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long one attempt to connect may take. 1 ms to 1 min. Default 5 s.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Copies that this client keeps of what it reads, and that the server keeps right: a get that finds one takes no call. Not with
    /// <see cref="Transport.Unary"/>. Set it where the same keys are read again and again; with a server that has none, calls go on without. Default null:
    /// none.
    /// </summary>
    public NearCache? NearCache { get; init; }

    /// <summary>The largest cap that is one.</summary>
    internal const int MostInFlight = 100_000;

    /// <summary>The longest deadline that a call can have.</summary>
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
        InRange(MaxRetries, 0, 10, nameof(MaxRetries));
        InRange(RetryBudget, 0.0, 1.0, nameof(RetryBudget));
        InRange(InitialBackOff, TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(10), nameof(InitialBackOff));
        InRange(MaxBackOff, InitialBackOff, TimeSpan.FromMinutes(1), nameof(MaxBackOff));
        InRange(KeepaliveInterval ?? TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), TimeSpan.FromHours(1), nameof(KeepaliveInterval));
        InRange(KeepaliveTimeout, TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1), nameof(KeepaliveTimeout));
        InRange(ConnectTimeout, TimeSpan.FromMilliseconds(1), TimeSpan.FromMinutes(1), nameof(ConnectTimeout));
        if (!Enum.IsDefined(Transport))
        {
            throw new ArgumentOutOfRangeException(nameof(Transport), Transport, "Transport is none of Auto, Unary and Pipeline.");
        }

        CheckHeaders();
        NearCache?.Validate();
        if (NearCache is not null && Transport == Transport.Unary)
        {
            throw new ArgumentOutOfRangeException(
                nameof(NearCache), NearCache, "NearCache is not to be had with unary calls: the server tells by the pipeline what has changed.");
        }
    }

    private static void CapInRange(int cap, string name)
    {
        if (cap != Unlimited)
        {
            InRange(cap, 1, MostInFlight, name);
        }
    }

    private static void InRange<T>(T value, T least, T most, string name)
        where T : IComparable<T>
    {
        if (value.CompareTo(least) < 0 || value.CompareTo(most) > 0)
        {
            throw new ArgumentOutOfRangeException(name, value, $"{name} is {value}; it must be from {least} to {most}.");
        }
    }
}
