using Larder.Client.Calls;
using Larder.Client.Codecs;
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
/// A client of one Larder server, or of several fronts of one fleet: make one and share it, from any number of threads. Every call has one deadline
/// (<see cref="Configuration.RequestTimeout"/>, or that of <see cref="WithRequestTimeout"/>) that holds its waiting, sending and retrying, and returns a
/// response of a closed set (<c>Hit | Miss | Error</c>); it throws only for a bug of its caller (a closed client). However many calls are made at once, a
/// bounded number is in flight and a bounded number waits.
/// </summary>
public sealed partial class CacheClient : IAsyncDisposable, IDisposable
{
    private readonly CallRunner _runner;
    private readonly NearReads? _near;
    private readonly ITransport _transport;
    private readonly Subscriptions _subscriptions;
    private readonly ulong _defaultTtlMs;

    // Ticks of the clock.
    private readonly long _timeout;
    private readonly ILogger _logger;
    private readonly bool _isView;
    private string? _lastCache;

    /// <summary>A client that connects with its first call.</summary>
    /// <param name="configuration">How it behaves: one of <see cref="Configurations"/>, or a copy changed by <c>with</c>.</param>
    /// <param name="credentials">Where the server is, and the token.</param>
    /// <param name="defaultTtl">Time to live of sets that give none: over 0, at most 365 days, or what the server allows.</param>
    /// <param name="loggerFactory">Where it logs; null: nowhere.</param>
    /// <param name="timeProvider">The clock of deadlines; null: the system's.</param>
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

    /// <summary>Creates a client that connects with its first call.</summary>
    /// <param name="configuration">The behaviour: one of <see cref="Configurations"/>, or a copy changed by <c>with</c>.</param>
    /// <param name="url">The server and the token, as <see cref="CredentialProvider.FromString"/> takes them, such as <c>http://127.0.0.1:8080</c>.</param>
    /// <param name="defaultTtl">The time to live of sets that give none: over 0, at most 365 days, or what the server allows.</param>
    /// <param name="loggerFactory">Creates the logger. The default is no logging.</param>
    /// <param name="timeProvider">The clock of deadlines. The default is the system's.</param>
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
        if (Arguments.CheckTtl(defaultTtl, out _defaultTtlMs) is { } error)
        {
            throw new ArgumentOutOfRangeException(nameof(defaultTtl), defaultTtl, error.Reason);
        }

        Configuration = configuration;
        _background = new BackgroundLoads();
        _underWay = new();
        _endpoint = credentials.Endpoint;
        DefaultTtl = defaultTtl;
        _logger = logger;
        FailureLog = new LogRateLimiter(LogRateLimiter.FailureInterval, time);
        // Timers and loops live longer than the request that happens to create the client: its ambient values (a trace, a logging scope) are not theirs.
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
        if (_transport is FrontSet several)
        {
            _runner.Telemetry.WatchFronts(several.Statistics);
        }

        if (_near is not null)
        {
            _runner.Telemetry.WatchNear(() => _near.Statistics);
        }

        _subscriptions = new Subscriptions(configuration, credentials, _runner, _transport as FrontSet, logger);
        _timeout = clock.Ticks(configuration.RequestTimeout);
    }

    // A view: all of the original's, but for the deadline.
    private CacheClient(CacheClient original, TimeSpan timeout)
    {
        Configuration = original.Configuration with { RequestTimeout = timeout };
        DefaultTtl = original.DefaultTtl;
        _endpoint = original._endpoint;
        _background = original._background;
        _underWay = original._underWay;
        _defaultTtlMs = original._defaultTtlMs;
        _logger = original._logger;
        FailureLog = original.FailureLog;
        _runner = original._runner;
        _near = original._near;
        _transport = original._transport;
        _subscriptions = original._subscriptions;
        _timeout = _runner.Clock.Ticks(timeout);
        _isView = true;
    }

    /// <summary>How this client behaves.</summary>
    public Configuration Configuration { get; }

    /// <summary>Time to live of sets that give none.</summary>
    public TimeSpan DefaultTtl { get; }

    /// <summary>Requests in flight now.</summary>
    public int InFlight => _runner.Limiter.InFlight;

    /// <summary>The cap on them now in force; <see cref="Configuration.Unlimited"/> where there is none.</summary>
    public int InFlightLimit => _runner.Limiter.Limit;

    /// <summary>
    /// True while <see cref="Configuration.AdaptiveTarget"/> was found to be out of reach: a smaller cap did not help, so the server or the network is
    /// slower than the target. False without a target.
    /// </summary>
    public bool IsTargetOutOfReach => _runner.IsTargetOutOfReach;

    /// <summary>Calls that wait for the cap now.</summary>
    public int Queued => _runner.Limiter.Waiting;

    /// <summary>Connections open now.</summary>
    public int Connections => _transport.Connections;

    /// <summary>The transport that calls take now: for <see cref="Transport.Auto"/> what the server turned out to speak.</summary>
    public Transport TransportInUse => _transport.IsPipelined ? Transport.Pipeline : Transport.Unary;

    /// <summary>The servers that calls go to, and what is held of each; one where there is but one.</summary>
    public IReadOnlyList<FrontStatistics> Fronts => _transport switch
    {
        FrontSet fronts => fronts.Statistics(),
        _ =>
        [
            new FrontStatistics
            {
                Address = _endpoint.ToString(),
                Connections = _transport.Connections,
                InFlight = (_transport as IFrontTransport)?.InFlight ?? 0,
                IsLeftOut = _transport is IFrontTransport { IsReady: false },
            },
        ],
    };

    internal InFlightLimiter Limiter => _runner.Limiter;

    internal NearReads? NearReads => _near;

    internal Telemetry Telemetry => _runner.Telemetry;

    internal ILogger Logger => _logger;

    /// <summary>One rate limit for log lines about a failing server: of this client's helpers and of all adapters over it.</summary>
    internal LogRateLimiter FailureLog { get; }

    /// <summary>Makes a client; where <see cref="Configuration.EagerConnect"/> is set, returns once it is connected.</summary>
    /// <param name="configuration">How it behaves.</param>
    /// <param name="credentials">Where the server is, and the token.</param>
    /// <param name="defaultTtl">Time to live of sets that give none: over 0, at most 365 days, or what the server allows.</param>
    /// <param name="loggerFactory">Where it logs; null: nowhere.</param>
    /// <param name="cancellationToken">Gives up connecting.</param>
    /// <exception cref="CacheException">The server could not be reached.</exception>
    public static async ValueTask<CacheClient> CreateAsync(
        Configuration configuration,
        CredentialProvider credentials,
        TimeSpan defaultTtl,
        ILoggerFactory? loggerFactory = null,
        CancellationToken cancellationToken = default)
    {
        CacheClient client = new(configuration, credentials, defaultTtl, loggerFactory);
        if (configuration.EagerConnect && await client.ConnectAsync(cancellationToken).ConfigureAwait(false) is PingResponse.Error error)
        {
            await client.DisposeAsync().ConfigureAwait(false);
            throw new CacheException(error.Failure);
        }

        return client;
    }

    /// <summary>One cache of this client, for code that uses no other.</summary>
    /// <exception cref="ArgumentException">The name is none: 1 to 255 characters of printable ASCII, not blank.</exception>
    public BoundCache Cache(string name) => new(this, name);

    /// <summary>One cache of this client with values of a type, written and read by a codec.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="codec">Writes the values as bytes and reads them.</param>
    /// <param name="options">Compression and bounds; null: the defaults.</param>
    /// <exception cref="ArgumentException">
    /// The name is none: 1 to 255 characters of printable ASCII, not blank. Or an option, or the codec's content, is out of its range.
    /// </exception>
    public TypedCache<T> Typed<T>(string cache, IValueCodec<T> codec, TypedCacheOptions? options = null) => new(this, cache, codec, options);

    /// <summary>
    /// This client with another deadline for its calls: the same connections, cap, queue and retry budget. One small object; keep it or make it for a call.
    /// Disposing of it does nothing, as they are the original's; once that is disposed of, this one is closed too.
    /// </summary>
    /// <param name="timeout">The deadline of each call made with it: all its waiting, sending and retrying. Over 0, at most 1 h.</param>
    /// <exception cref="ArgumentOutOfRangeException">The deadline is out of its range.</exception>
    public CacheClient WithRequestTimeout(TimeSpan timeout) => timeout > TimeSpan.Zero && timeout <= Configuration.LongestTimeout
        ? new(this, timeout)
        : throw new ArgumentOutOfRangeException(
            nameof(timeout),
            timeout,
            $"A call's deadline is over 0 and at most {Configuration.LongestTimeout.TotalHours} h.");

    /// <summary>Connects now rather than with the first call.</summary>
    /// <returns>Success once calls can be sent; otherwise why they cannot, within <see cref="Configuration.RequestTimeout"/>.</returns>
    public async ValueTask<PingResponse> ConnectAsync(CancellationToken cancellationToken = default)
    {
        try
        {
            if (_runner.Tokens is { Current.Number: 0 } tokens && await FirstTokenAsync(tokens, cancellationToken).On(PoolQueue.Callers) is { } missing)
            {
                return new PingResponse.Error(new CacheError(CacheErrorCode.Unauthenticated, missing.Message) { Exception = missing.Exception });
            }

            Task connecting = _transport.ConnectAsync(cancellationToken).AsTask();
            await connecting.WaitAsync(Configuration.RequestTimeout, DedicatedTime.Instance, cancellationToken).On(PoolQueue.Callers);
            return PingResponse.Success.Instance;
        }
        catch (RpcException exception)
        {
            return new PingResponse.Error(new CacheError(Failure.CodeOf(exception.Status.Code), exception.Status.Message) { Exception = exception });
        }
        catch (TimeoutException)
        {
            return new PingResponse.Error(new CacheError(CacheErrorCode.Timeout, "The connection was not made within the deadline."));
        }
        catch (OperationCanceledException)
        {
            return new PingResponse.Error(new CacheError(CacheErrorCode.Cancelled, "The caller cancelled, or the client was closed."));
        }
    }

    private Task<NoToken?> FirstTokenAsync(TokenSource tokens, CancellationToken cancellationToken) =>
        tokens.NewerThanAsync(0).AsTask().WaitAsync(Configuration.RequestTimeout, DedicatedTime.Instance, cancellationToken);

    /// <summary>
    /// Closes the connections. Calls under way end with <see cref="CacheErrorCode.Cancelled"/>, and subscriptions end. Of a view
    /// (<see cref="WithRequestTimeout"/>) it does nothing.
    /// </summary>
    public ValueTask DisposeAsync() => _isView ? ValueTask.CompletedTask : CloseAsync();

    /// <summary>
    /// The same, and waits until the connections are closed: for containers and <c>using</c>, which dispose synchronously. Prefer
    /// <see cref="DisposeAsync"/>.
    /// </summary>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    private async ValueTask CloseAsync()
    {
        await _subscriptions.DisposeAsync().ConfigureAwait(false);
        await _runner.DisposeAsync().ConfigureAwait(false);
    }

    internal CacheError? CheckCache(string? cache)
    {
        // Most applications pass the same string each time. None was passed yet where the last is null, and null is none.
        if (cache is not null && ReferenceEquals(cache, Volatile.Read(ref _lastCache)))
        {
            return null;
        }

        CacheError? error = Arguments.CheckCache(cache);
        if (error is null)
        {
            Volatile.Write(ref _lastCache, cache);
        }

        return error;
    }

    private CacheError? CheckTtl(TimeSpan? ttl, out ulong ttlMs)
    {
        if (ttl is { } given)
        {
            return Arguments.CheckTtl(given, out ttlMs);
        }

        ttlMs = _defaultTtlMs;
        return null;
    }

    private CacheError? CheckTtl(CollectionTtl? ttl, out WireTtl wireTtl)
    {
        CollectionTtl given = ttl.GetValueOrDefault();
        CacheError? error = CheckTtl(given.Ttl, out ulong ttlMs);
        wireTtl = new WireTtl(ttlMs, given.RefreshTtl);
        return error;
    }

    // Of a call that leaves the time to live alone unless it is given one.
    private CacheError? CheckKeptTtl(CollectionTtl? ttl, out WireTtl wireTtl)
    {
        wireTtl = default;
        return ttl is null ? null : CheckTtl(ttl, out wireTtl);
    }
}
