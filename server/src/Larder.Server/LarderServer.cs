using System.Net;
using Larder.Server.Calls;
using Larder.Server.Console;
using Larder.Server.Console.Api;
using Larder.Server.Faults;
using Larder.Server.Fleet;
using Larder.Server.Leases;
using Larder.Server.Metrics;
using Larder.Server.Near;
using Larder.Server.Pauses;
using Larder.Server.Pipeline;
using Larder.Server.Scans;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Server.Snapshots;
using Larder.Server.Topics;
using Larder.Store;
using Larder.Store.Snapshots;
using Larder.Wire;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>
/// A running cache server: the store, the data port and the console. <see cref="StartAsync"/> creates and starts it. Disposing it drains and stops it.
/// </summary>
public sealed class LarderServer : IAsyncDisposable
{
    // The timeout for stopping the console. The console stops after the snapshot has been written. The drain timeout may already be over by then, so the
    // console has its own timeout. It is short because console responses are short.
    private static readonly TimeSpan ConsoleGrace = TimeSpan.FromSeconds(0.5);

    private readonly ServerOptions _options;
    private readonly ILogger _logger;
    private readonly BufferBudget _buffers;
    private readonly BufferBudget _unauthenticatedBuffers;
    private readonly CacheStore _store;
    private readonly PauseGuard _guard;
    private readonly ServerMetrics _metrics;
    private readonly FaultLog _faults;
    private readonly FleetHost? _fleet;
    private readonly SecretFiles _secrets;
    private readonly Authenticator _authenticator;
    private readonly SnapshotKeeper? _snapshots;
    private readonly TopicGuard _topicGuard;
    private readonly TopicHost _topics;
    private readonly NearHub _near;
    private readonly CancellationTokenSource _draining = new();
    private readonly RpcRouter _router;
    private RpcServer? _data;
    private readonly WebApplication? _console;
    private readonly OtlpExport? _otlp;
    private Uri? _consoleEndpoint;
    private SecretWatch? _watch;
    private volatile bool _hasStarted;
    private int _stopped;
    private int _isDisposed;

    private LarderServer(ServerOptions options, ILoggerFactory loggers, SnapshotFile? snapshot)
    {
        _options = options;
        _logger = loggers.CreateLogger("Larder.Server");
        MemoryShares shares = options.IsGateway ? MemoryShares.OfGateway(options.MemoryBytes) : MemoryShares.Of(options.MemoryBytes);
        _buffers = new BufferBudget(shares.BufferBytes);
        _unauthenticatedBuffers = new BufferBudget(shares.UnauthenticatedBytes, _buffers);
        _store = new CacheStore(new CacheStoreOptions
        {
            MaxMemoryBytes = shares.StoreBytes,
            MaxItemBytes = options.MaxItemBytes,
            MaxTtl = options.MaxTtl,
            TimeProvider = options.TimeProvider,
        });
        _store.CreateCache(options.DefaultCache);
        _snapshots = snapshot is null ? null : new SnapshotKeeper(snapshot, _store, options.TimeProvider, _logger);
        _guard = new PauseGuard(options.TimeProvider, options.LongestBusyGap);
        _metrics = new ServerMetrics(
            [
                .. CacheCalls.Single.Concat(CacheCalls.Batches).Select(call => call.Path), .. ControlService.Paths,
                .. ExtrasService.Paths, .. LeaseService.Paths, PingService.Path, TokenService.Path, .. HealthService.Paths, .. PubsubService.Paths,
            ],
            PipelineCalls.Names);
        _faults = new FaultLog(_logger, _metrics, options.TimeProvider);
        _secrets = new SecretFiles(options);
        _authenticator = new Authenticator(_secrets, _metrics, options.TimeProvider, _logger);
        CallRules rules = new(options.MaxItemBytes, options.MaxTtl);
        _fleet = options.IsGateway ? FleetHost.Start(options, rules, _guard, _metrics, _faults, _logger) : null;
        _topicGuard = new TopicGuard(_authenticator);
        _topics = OpenTopics();
        _near = _fleet is null ? new NearHub(_store.Watch, options.MaxNearStreams) : _fleet.Gateway.Near.Hub;
        _router = MapCalls(rules);
        StatsReader stats = new(_metrics, _store, _buffers, _topics, _near, options.TimeProvider, () => WhyNotReady, _fleet?.Store, _snapshots);
        _otlp = options.OtlpEndpoint is { } collector ? new OtlpExport(collector, stats, options.TimeProvider) : null;
        _console = !options.HasConsole ? null : ConsoleHost.Build(
            options,
            stats,
            _metrics,
            _secrets,
            _authenticator,
            _fleet is null ? new LocalConsoleStore(_store, _snapshots) : new RemoteConsoleStore(_fleet.Gateway),
            new KeySearch(_fleet is null ? new StoreKeyScanner(new CallRouting(_store, rules, _guard)) : new FleetKeyScanner(_fleet.Gateway)),
            _snapshots,
            _logger,
            _draining.Token);
    }

    /// <summary>Gets the URL of the data port, with the actual port number. The data port serves data, control and pipeline calls.</summary>
    public Uri Endpoint { get; private set; } = null!;

    /// <summary>Gets the URL of the console, with the actual port number.</summary>
    /// <exception cref="InvalidOperationException">The server has no console.</exception>
    public Uri ConsoleEndpoint => _consoleEndpoint ?? throw new InvalidOperationException("This server has no console.");

    /// <summary>Gets the line to print at startup: address, console, store, memory limit and version.</summary>
    public string StartLine =>
        $"larder {ServerVersion.Text} listening on {Endpoint.GetLeftPart(UriPartial.Authority)} "
        + $"console {_consoleEndpoint?.GetLeftPart(UriPartial.Authority) ?? "none"} store={(_options.IsGateway ? "redis" : ServerOptions.MemoryStore)}"
        + $" memory={_options.MemoryBytes}";

    /// <summary>Starts a server.</summary>
    /// <param name="options">The server's options.</param>
    /// <param name="loggers">The logger factory. By default, nothing is logged.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    /// <exception cref="ServerOptionsException">An option is invalid, or a port, certificate, key or snapshot cannot be used.</exception>
    /// <exception cref="OperationCanceledException">The start was cancelled.</exception>
    public static async Task<LarderServer> StartAsync(ServerOptions options, ILoggerFactory? loggers = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        SnapshotFile? snapshot = options.SnapshotPath is { } path ? SnapshotKeeper.Open(path, options.TimeProvider) : null;
        LarderServer server;
        try
        {
            server = new LarderServer(options, loggers ?? LoggerFactory.Create(static _ => { }), snapshot);
        }
        catch
        {
            snapshot?.Dispose();
            throw;
        }

        try
        {
            await server.ListenAsync(cancellationToken).ConfigureAwait(false);
            return server;
        }
        catch
        {
            await server.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Reloads the token and certificate files and logs the result. If a file cannot be read, its previous content remains in use. Calls and
    /// connections in progress are not affected.
    /// </summary>
    /// <returns>True if all files were read.</returns>
    public bool Reload()
    {
        IReadOnlyList<(string Option, string? Fault)> files = _secrets.Reload();
        if (files.Count == 0)
        {
            Log.NothingToReload(_logger);
        }

        return LogReload(files);
    }

    private bool LogReload(IReadOnlyList<(string Option, string? Fault)> files)
    {
        foreach ((string option, string? fault) in files)
        {
            _metrics.Reloaded(fault is null);
            _authenticator.Audit.Note(fault is null ? AuditKind.Reloaded : AuditKind.NotReloaded, what: option);
            if (fault is null)
            {
                Log.Reloaded(_logger, option);
                if (option == SecretFiles.TokensOption)
                {
                    LogTokenCount(_secrets.Access!);
                }
            }
            else
            {
                Log.NotReloaded(_logger, fault);
            }
        }

        return files.All(static file => file.Fault is null);
    }

    /// <summary>
    /// Shuts down gracefully: stops accepting connections, notifies open pipelines, waits for running calls up to the drain timeout, writes the
    /// snapshot if one is configured, and stops.
    /// </summary>
    public async Task StopAsync()
    {
        if (Interlocked.Exchange(ref _stopped, 1) != 0)
        {
            return;
        }

        // If the start failed, there are no calls to drain, and the caller reports why the start failed.
        if (_hasStarted)
        {
            Log.Draining(_logger, _metrics.Streams, _options.DrainTimeout.TotalSeconds);
        }

        await _draining.CancelAsync().ConfigureAwait(false);
        using CancellationTokenSource grace = new(_options.DrainTimeout);
        if (_data is not null)
        {
            await _data.StopAsync(grace.Token).ConfigureAwait(false);
        }

        if (_hasStarted && _snapshots is not null)
        {
            await _snapshots.WriteLastAsync().ConfigureAwait(false);
        }

        if (_console is not null)
        {
            using CancellationTokenSource consoleGrace = new(ConsoleGrace);
            await _console.StopAsync(consoleGrace.Token).ConfigureAwait(false);
        }

        if (_hasStarted)
        {
            Log.Stopped(_logger);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        await StopAsync().ConfigureAwait(false);
        if (_data is not null)
        {
            await _data.DisposeAsync().ConfigureAwait(false);
        }

        if (_console is not null)
        {
            await _console.DisposeAsync().ConfigureAwait(false);
        }

        _otlp?.Dispose();
        _watch?.Dispose();
        _topics.Dispose();
        if (_fleet is not null)
        {
            await _fleet.DisposeAsync().ConfigureAwait(false);
        }

        _guard.Dispose();
        _metrics.Dispose();
        _snapshots?.Dispose();
        _store.Dispose();
        _draining.Dispose();
    }

    /// <summary>Gets the maximum request size of each call with a single request message, by path.</summary>
    internal IReadOnlyDictionary<string, int> MaxRequestBytes => _router.MaxRequestBytes;

    internal FleetTurns? Turns => _fleet?.Gateway.Turns;

    /// <summary>Gets a number that increases while a snapshot is being written. The shutdown is not aborted as long as this number changes.</summary>
    internal long SnapshotProgress => _snapshots?.Progress ?? 0;

    private string? WhyNotReady => _hasStarted ? _fleet?.Store.WhyNotReady : _snapshots is null ? "starting" : "loading";

    private async Task ListenAsync(CancellationToken cancellationToken)
    {
        if (_console is not null)
        {
            await ConsoleHost.StartAsync(_console, _options, cancellationToken).ConfigureAwait(false);
        }

        if (_snapshots is not null)
        {
            DataHost.RequireFree(_options);
            await _snapshots.LoadAsync(cancellationToken).ConfigureAwait(false);
        }

        if (_fleet is not null)
        {
            await _fleet.WaitForFirstLookAsync(cancellationToken).ConfigureAwait(false);
        }

        if (_secrets.Access is { } access)
        {
            LogTokenCount(access);
        }

        if (_secrets.Access is not null || _secrets.Tls is not null)
        {
            _watch = new SecretWatch(_secrets, _options.TimeProvider, files => LogReload(files));
        }

        _data = DataHost.Start(_options, _router, _buffers, _authenticator.Asks ? _unauthenticatedBuffers : null, _secrets, _faults, _logger);
        Endpoint = new Uri($"{(_options.TlsCertificatePath is null ? "http" : "https")}://{_data.Endpoint}");
        _consoleEndpoint = _console is null ? null : ConsoleHost.AddressOf(_console);
        if (_options.FaultInjection)
        {
            Log.FaultInjectionOn(_logger);
        }

        if (_options.MemoryBytes > ServerOptions.MachineMemoryBytes)
        {
            Log.MemoryAboveMachine(_logger, _options.MemoryBytes, ServerOptions.MachineMemoryBytes);
        }

        _hasStarted = true;
        Log.Listening(_logger, Endpoint.ToString(), _consoleEndpoint?.ToString() ?? "none", _options.MemoryBytes);
    }

    private void LogTokenCount(AccessControl access)
    {
        IReadOnlyList<TokenEntry> entries = access.Table.Entries;
        Log.TokensRead(_logger, entries.Count, entries.Count(each => each.HasExpired(access.Time)));
        foreach (string path in ((string?[])[access.Path, access.KeyPath]).OfType<string>().Where(TokenTableFile.IsOpenToOthers))
        {
            Log.TokensOpenToOthers(_logger, path);
        }
    }

    // The address that clients can use, as far as the server can determine it. If the server listens on all interfaces, clients use its host name.
    private string AdvertisedAddress => _options.Advertised ?? (
        _options.Host.Equals(IPAddress.Any) || _options.Host.Equals(IPAddress.IPv6Any) ? $"{Dns.GetHostName()}:{Endpoint.Port}" : Endpoint.Authority);

    private TopicHost OpenTopics()
    {
        TopicLimits limits = new()
        {
            TopicsPerCache = _options.MaxTopicsPerCache,
            SubscribersPerTopic = _options.MaxTopicSubscribers,
            Heartbeat = _options.TopicHeartbeat,
        };
        TopicMemory memory = new(_buffers);
        if (_fleet is not null)
        {
            RemoteTopicBroker remote = _fleet.OpenTopics(limits, memory);
            return Open(remote, remote.EndOrphans, remote.Tidy);
        }

        MemoryTopicBroker broker = new(_store, limits, memory, _options.TimeProvider);
        return Open(broker, broker.EndOrphans, broker.Tidy);

        TopicHost Open(ITopicBroker broker, Action endOrphans, Action tidy)
        {
            Action look = endOrphans + _topicGuard.Look;
            return new TopicHost(broker, memory, limits, _options.TimeProvider, look, tidy, _faults.Say, _draining.Token);
        }
    }

    private RpcRouter MapCalls(CallRules rules)
    {
        CallRouting routing = new(_store, rules, _guard, _snapshots, _metrics.Sampler);
        FaultInjector? injector = _options.FaultInjection ? new FaultInjector() : null;
        RpcRouter router = new(new RpcRouterOptions
        {
            TimeProvider = _options.TimeProvider,
            MessageLimitCause = "request_size_limit_exceeded",
            MaxRequestBytes = new RequestLimits(rules.MaxItemBytes).Of,
            Authorize = _authenticator.Asks ? _authenticator.Check : null,
            Intercept = injector is null ? null : new FaultInterceptor(injector, _options.TimeProvider).InterceptAsync,
            Observer = new RpcObserver(_metrics, _authenticator),
            OnHandlerFault = (call, error) => _faults.Say(call.Path, error),
        });
        if (_fleet?.Gateway is { } gateway)
        {
            RemoteDataService.Map(router, gateway);
            RemoteBatchService.Map(router, gateway, _options.FaultInjection);
            RemoteControlService.Map(router, gateway);
            ExtrasService.Map(router, new FleetKeyScanner(gateway), new FleetItemScanner(gateway));
            RemoteLeaseService.Map(router, gateway);
        }
        else
        {
            DataService.Map(router, routing);
            BatchService.Map(router, routing, _options.FaultInjection);
            ControlService.Map(router, routing);
            ExtrasService.Map(router, new StoreKeyScanner(routing), new StoreItemScanner(routing));
            LeaseService.Map(router, routing);
        }

        PubsubService.Map(router, _topics, _topicGuard, _options.FaultInjection);
        PingService.Map(router);
        ReflectionService.Map(router, _draining.Token);
        TokenService.Map(router, _authenticator, () => AdvertisedAddress);
        HealthService.Map(router, () => _draining.IsCancellationRequested ? "draining" : _fleet?.Store.WhyNotReady, _draining.Token);
        PipelineHost pipelines = new(
            _store,
            rules,
            _metrics,
            _guard,
            injector,
            _options.TimeProvider,
            _near,
            _faults.Say,
            _draining.Token,
            _fleet?.Gateway,
            _authenticator);
        PipelineService.Map(router, pipelines);
        return router;
    }
}
