using System.Collections.Concurrent;
using Larder.Client.Calls;
using Larder.Client.Leases;
using Larder.Client.Near;
using Larder.Client.Operations;
using Larder.Client.Topics;
using Larder.Wire;
using Larder.Wire.Threads;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client;

/// <summary>
/// A client of one Larder server, or of several gateways of one fleet. The client is thread-safe: create one client and share it. To read or write the data of
/// a cache, get a handle with <see cref="Cache"/> and call its methods. The client itself creates, deletes, lists and flushes caches. Every call has one
/// timeout (<see cref="Configuration.RequestTimeout"/>) that covers waiting, sending and retrying. A call returns success or an error. It throws only on
/// misuse, such as a call on a closed client. The number of calls in flight and the number of waiting calls are limited.
/// </summary>
public sealed partial class CacheClient : IAsyncDisposable, IDisposable
{
    private readonly CallRunner _runner;
    private readonly NearReads? _near;
    private readonly ITransport _transport;
    private readonly Subscriptions _subscriptions;
    private readonly Uri _endpoint;

    // The configuration's timeout in ticks of the clock.
    private readonly long _timeout;

    /// <summary>Creates a client. The client connects when it makes its first call.</summary>
    /// <param name="configuration">
    /// The configuration: a member of <see cref="Configurations"/>, or a copy that was changed with a <c>with</c> expression.
    /// </param>
    /// <param name="credentials">The server's address and the token.</param>
    /// <param name="defaultTtl">
    /// The default time to live, which applies to calls that do not set one: greater than 0, and at most 365 days or the server's limit if that is lower.
    /// </param>
    /// <param name="loggerFactory">Creates the client's logger. The default is null: no logging.</param>
    /// <param name="timeProvider">The clock for deadlines. The default is null: the system clock.</param>
    /// <exception cref="ArgumentOutOfRangeException">A setting or the TTL is out of its range.</exception>
    public CacheClient(
        Configuration configuration,
        CredentialProvider credentials,
        TimeSpan defaultTtl,
        ILoggerFactory? loggerFactory = null,
        TimeProvider? timeProvider = null)
        : this(
            configuration,
            credentials,
            defaultTtl,
            new GuardedLogger((loggerFactory ?? NullLoggerFactory.Instance).CreateLogger<CacheClient>()),
            timeProvider ?? TimeProvider.System,
            null)
    { }

    /// <summary>Creates a client. The client connects when it makes its first call.</summary>
    /// <param name="configuration">
    /// The configuration: a member of <see cref="Configurations"/>, or a copy that was changed with a <c>with</c> expression.
    /// </param>
    /// <param name="url">
    /// The server's address and the token, as <see cref="CredentialProvider.FromString"/> parses them, such as <c>http://127.0.0.1:8080</c>.
    /// </param>
    /// <param name="defaultTtl">
    /// The default time to live, which applies to calls that do not set one: greater than 0, and at most 365 days or the server's limit if that is lower.
    /// </param>
    /// <param name="loggerFactory">Creates the client's logger. The default is null: no logging.</param>
    /// <param name="timeProvider">The clock for deadlines. The default is null: the system clock.</param>
    /// <exception cref="ArgumentException">The URL is invalid.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A setting or the TTL is out of its range.</exception>
    public CacheClient(
        Configuration configuration,
        string url,
        TimeSpan defaultTtl,
        ILoggerFactory? loggerFactory = null,
        TimeProvider? timeProvider = null)
        : this(configuration, CredentialProvider.FromString(url), defaultTtl, loggerFactory, timeProvider)
    { }

    internal CacheClient(
        Configuration configuration,
        CredentialProvider credentials,
        TimeSpan defaultTtl,
        ILogger logger,
        TimeProvider time,
        Func<CallRunner, ITransport>? transport)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        ArgumentNullException.ThrowIfNull(credentials);
        configuration.Validate();
        if (Arguments.CheckTtl(defaultTtl, out ulong defaultTtlMs) is { } error)
        {
            throw new ArgumentOutOfRangeException(nameof(defaultTtl), defaultTtl, error.Reason);
        }

        Configuration = configuration;
        _endpoint = credentials.Endpoint;
        DefaultTtl = defaultTtl;
        DefaultTtlMs = defaultTtlMs;
        Logger = logger;
        FailureLog = new LogRateLimiter(LogRateLimiter.FailureInterval, time);
        // An application may create the client while it handles a request. The client's timers and loops outlive that request, so they must not inherit its
        // ambient values, such as a trace or a logging scope.
        using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
        Clock clock = new(DedicatedTime.For(time));
        InFlightLimiter limiter = new(TransportFactory.CapOf(configuration), configuration.QueueLimit);
        _near = configuration.NearCache is { } near ? new NearReads(near, time, logger) : null;
        Telemetry telemetry = new(limiter, clock, _endpoint);
        _runner = new CallRunner(configuration, limiter, clock, telemetry, Random.Shared.NextDouble, logger, credentials.TokenProvider)
        {
            Near = _near,
        };
        _transport = transport?.Invoke(_runner) ?? TransportFactory.Create(configuration, credentials, _runner, logger);
        _runner.Use(_transport);
        if (_transport is GatewaySet several)
        {
            _runner.Telemetry.WatchGateways(several.Statistics);
        }

        if (_near is not null)
        {
            _runner.Telemetry.WatchNear(() => _near.Statistics);
        }

        _subscriptions = new Subscriptions(configuration, credentials, _runner, _transport as GatewaySet, logger);
        _timeout = clock.Ticks(configuration.RequestTimeout);
    }

    /// <summary>Gets the configuration.</summary>
    public Configuration Configuration { get; }

    /// <summary>Gets the default time to live, which applies to calls that do not set one.</summary>
    public TimeSpan DefaultTtl { get; }

    /// <summary>Gets the number of requests in flight.</summary>
    public int InFlight => _runner.Limiter.InFlight;

    /// <summary>Gets the current limit on requests in flight, or <see cref="Configuration.Unlimited"/>.</summary>
    public int InFlightLimit => _runner.Limiter.Limit;

    /// <summary>
    /// Gets whether the client currently cannot meet <see cref="Configuration.AdaptiveTarget"/>, even with fewer requests in flight, because the server or the
    /// network is slower than the target. Always false if no target is set.
    /// </summary>
    public bool IsTargetOutOfReach => _runner.IsTargetOutOfReach;

    /// <summary>Gets the number of calls in the queue. They wait because the limit on requests in flight is reached.</summary>
    public int Queued => _runner.Limiter.Waiting;

    /// <summary>Gets the number of open connections.</summary>
    public int Connections => _transport.Connections;

    /// <summary>
    /// Gets the transport in use. With <see cref="Transport.Auto"/>, this is the pipelined transport if the server supports it, otherwise the unary transport.
    /// Before the first connection, it is the pipelined transport.
    /// </summary>
    public Transport TransportInUse => _transport.IsPipelined ? Transport.Pipeline : Transport.Unary;

    /// <summary>Gets the statistics of each gateway. If the client has only one server, the list has one entry.</summary>
    public IReadOnlyList<GatewayStatistics> Gateways => _transport switch
    {
        GatewaySet gateways => gateways.Statistics(),
        _ =>
        [
            new GatewayStatistics
            {
                Address = _endpoint.ToString(),
                Connections = _transport.Connections,
                InFlight = (_transport as IGatewayTransport)?.InFlight ?? 0,
                IsLeftOut = _transport is IGatewayTransport { IsReady: false },
            },
        ],
    };

    /// <summary>Gets the statistics of subscriptions.</summary>
    public TopicStatistics Topics => _subscriptions.Statistics;

    /// <summary>Gets the statistics of the near cache, or null if none is configured.</summary>
    public NearCacheStatistics? NearCache => _near?.Statistics;

    internal CallRunner Runner => _runner;

    internal InFlightLimiter Limiter => _runner.Limiter;

    internal NearReads? NearReads => _near;

    internal Telemetry Telemetry => _runner.Telemetry;

    internal Subscriptions Subscriptions => _subscriptions;

    internal ulong DefaultTtlMs { get; }

    internal ILogger Logger { get; }

    internal BackgroundLoads Background { get; } = new();

    /// <summary>
    /// Gets the loads in progress, by key. Each client has its own dictionary, because clients with different credentials must never receive each other's
    /// values (GOC-16). There are at most as many entries as waiting callers.
    /// </summary>
    internal ConcurrentDictionary<CreationKey, SharedCreation<CreatedBytes>> Creations { get; } = new();

    /// <summary>Gets the rate limiter for log messages about a failing server. The client and all adapters that use the client share it.</summary>
    internal LogRateLimiter FailureLog { get; }

    /// <summary>Creates a client. If <see cref="Configuration.EagerConnect"/> is true, connects it to the server before returning it.</summary>
    /// <param name="configuration">
    /// The configuration: a member of <see cref="Configurations"/>, or a copy that was changed with a <c>with</c> expression.
    /// </param>
    /// <param name="credentials">The server's address and the token.</param>
    /// <param name="defaultTtl">
    /// The default time to live, which applies to calls that do not set one: greater than 0, and at most 365 days or the server's limit if that is lower.
    /// </param>
    /// <param name="loggerFactory">Creates the client's logger. The default is null: no logging.</param>
    /// <param name="cancellationToken">Cancels connecting.</param>
    /// <exception cref="ArgumentOutOfRangeException">A setting or the TTL is out of its range.</exception>
    /// <exception cref="CacheException">
    /// <see cref="Configuration.EagerConnect"/> is true, and connecting failed or took longer than <see cref="Configuration.RequestTimeout"/>.
    /// </exception>
    public static async ValueTask<CacheClient> CreateAsync(
        Configuration configuration,
        CredentialProvider credentials,
        TimeSpan defaultTtl,
        ILoggerFactory? loggerFactory = null,
        CancellationToken cancellationToken = default)
    {
        CacheClient client = new(configuration, credentials, defaultTtl, loggerFactory);
        if (configuration.EagerConnect && await client.ConnectAsync(cancellationToken).ConfigureAwait(false) is { IsError: true } failed)
        {
            await client.DisposeAsync().On(PoolQueue.Work);
            throw new CacheException(failed.Error);
        }

        return client;
    }

    /// <summary>
    /// Returns a handle to a cache, without a call to the server. The handle's methods read and write the cache's data. A valid name is 1 to 255 characters of
    /// printable ASCII, not all spaces. If the name is invalid, every call on the handle fails with <see cref="CacheErrorCode.InvalidArgument"/>.
    /// </summary>
    /// <param name="name">The cache's name.</param>
    public Cache Cache(string name) => new(this, name, Configuration.RequestTimeout);

    /// <summary>Connects now, so that the first call does not have to connect.</summary>
    /// <param name="cancellationToken">Cancels connecting.</param>
    /// <returns>
    /// Success when the client is connected and calls can be sent. An error if connecting fails, or if the client is not connected within
    /// <see cref="Configuration.RequestTimeout"/>.
    /// </returns>
    public async ValueTask<CacheResult> ConnectAsync(CancellationToken cancellationToken = default)
    {
        try
        {
            if (_runner.Tokens is { Current.Number: 0 } tokens && await FirstTokenAsync(tokens, cancellationToken).On(PoolQueue.Callers) is { } missing)
            {
                return CacheResult.Failed(new CacheError(CacheErrorCode.Unauthenticated, missing.Message) { Exception = missing.Exception });
            }

            Task connecting = _transport.ConnectAsync(cancellationToken).AsTask();
            await connecting.WaitAsync(Configuration.RequestTimeout, DedicatedTime.Instance, cancellationToken).On(PoolQueue.Callers);
            return CacheResult.Success;
        }
        catch (RpcException exception)
        {
            return CacheResult.Failed(new CacheError(Failure.CodeOf(exception.Status.Code), exception.Status.Message) { Exception = exception });
        }
        catch (TimeoutException)
        {
            return CacheResult.Failed(new CacheError(CacheErrorCode.Timeout, "The connection was not established within the deadline."));
        }
        catch (OperationCanceledException)
        {
            return CacheResult.Failed(new CacheError(CacheErrorCode.Cancelled, "The caller cancelled, or the client was closed."));
        }
    }

    private Task<NoToken?> FirstTokenAsync(TokenSource tokens, CancellationToken cancellationToken) =>
        tokens.NewerThanAsync(0).AsTask().WaitAsync(Configuration.RequestTimeout, DedicatedTime.Instance, cancellationToken);

    /// <summary>Closes the connections. Calls in progress fail with <see cref="CacheErrorCode.Cancelled"/>, and subscriptions end.</summary>
    public async ValueTask DisposeAsync()
    {
        await _subscriptions.DisposeAsync().On(PoolQueue.Work);
        await _runner.DisposeAsync().On(PoolQueue.Work);
    }

    /// <summary>
    /// Closes the connections and blocks until they are closed. Prefer <see cref="DisposeAsync"/>. Use this method only if asynchronous disposal is not
    /// possible, for example in a <c>using</c> statement.
    /// </summary>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();
}
