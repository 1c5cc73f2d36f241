using Larder.Client.Calls;
using Larder.Client.Gateways;
using Larder.Wire;
using Larder.Wire.Threads;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Topics;

/// <summary>A client's active subscriptions: their connections, a timer that detects silent streams, and their statistics.</summary>
internal sealed class Subscriptions : IAsyncDisposable
{
    // The maximum number of unread bytes per subscription, enough for about 2,000 messages of 100 bytes. When this many bytes are unread, flow control makes
    // the server stop sending.
    private const int WindowBytes = 256 * 1024;

    // The maximum size of a received message. Larder's own limit is 1 MiB (TOP-6), but other servers may permit larger messages. The limit bounds the memory
    // that a malicious server can use with one message.
    private const int MaxMessageBytes = 4 * 1024 * 1024;

    // The interval of the timer, and therefore the maximum delay in detecting a silent stream. It is short compared with the timeouts: the shortest silence
    // timeout is 5 s, and the timeout of the first message is the request timeout.
    private static readonly TimeSpan WatchEvery = TimeSpan.FromMilliseconds(100);

    // If the timer runs later than this, the process was probably suspended. Data that has arrived may still be unread, so no stream is considered silent.
    private static readonly TimeSpan Late = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly HashSet<SubscriptionReader> _readers = [];
    private readonly long _startedAt;
    private ITimer? _watch;
    private TimeSpan _watchedAt;
    private bool _isClosed;
    private long _items;
    private long _discontinuities;
    private long _reconnects;

    public Subscriptions(Configuration configuration, CredentialProvider credentials, CallRunner runner, GatewaySet? several, ILogger logger)
    {
        Runner = runner;
        Logger = logger;
        BackOff = RetryPolicy.From(configuration);
        _startedAt = runner.Clock.Now;
        Channels = new SubscriptionChannels(
            () => several?.Reachable ?? [(credentials.Gateways[0], null, true)],
            (address, at) => new SubscriptionGateway(
                address,
                at,
                new CallHeaders(credentials.Only(address), configuration, runner.Tokens),
                new SubscriptionGate(RetryPolicy.ForConnecting(configuration), () => Now, Random.Shared.NextDouble)),
            gateway =>
            {
                // The options are created for each connection, because certificate files may have changed.
                RpcChannelOptions made = WireChannel.OptionsFor(configuration, credentials.Only(gateway.Address), gateway.At, runner.Clock.Provider, logger);
                return new RpcChannel(made with { StreamWindowBytes = WindowBytes, MaxReceiveMessageBytes = MaxMessageBytes });
            },
            Random.Shared.NextDouble);
    }

    public CallRunner Runner { get; }

    public ILogger Logger { get; }

    public RetryPolicy BackOff { get; }

    public SubscriptionChannels Channels { get; }

    /// <summary>Gets the time since the client was created.</summary>
    public TimeSpan Now => Runner.Clock.Between(_startedAt, Runner.Clock.Now);

    public TopicStatistics Statistics
    {
        get
        {
            int connected = Channels.Connected;
            lock (_lock)
            {
                return new TopicStatistics
                {
                    Subscriptions = _readers.Count,
                    Connections = connected,
                    Items = _items + _readers.Sum(static reader => reader.Items),
                    Discontinuities = _discontinuities + _readers.Sum(static reader => reader.Discontinuities),
                    Reconnects = _reconnects + _readers.Sum(static reader => reader.Reconnects),
                };
            }
        }
    }

    /// <summary>Registers a subscription. Returns false if the client is closed.</summary>
    public bool TryAdd(SubscriptionReader reader)
    {
        lock (_lock)
        {
            if (_isClosed)
            {
                return false;
            }

            if (_readers.Count == 0)
            {
                _watchedAt = Now;
            }

            if (_watch is null)
            {
                // The timer does not belong to one caller, so it must not inherit the execution context of the first caller.
                using (ExecutionContext.SuppressFlow())
                {
                    _watch = Runner.Clock.Provider.CreateTimer(static state => ((Subscriptions)state!).Watch(), this, WatchEvery, Timeout.InfiniteTimeSpan);
                }

                Runner.Telemetry.WatchTopics(() => Statistics);
            }
            else if (_readers.Count == 0)
            {
                _watch.Change(WatchEvery, Timeout.InfiniteTimeSpan);
            }

            _readers.Add(reader);
            return true;
        }
    }

    /// <summary>Removes a subscription that has ended and released its resources.</summary>
    public void Remove(SubscriptionReader reader)
    {
        lock (_lock)
        {
            if (_readers.Remove(reader))
            {
                _items += reader.Items;
                _discontinuities += reader.Discontinuities;
                _reconnects += reader.Reconnects;
            }
        }
    }

    /// <summary>Ends all subscriptions.</summary>
    public async ValueTask DisposeAsync()
    {
        SubscriptionReader[] readers;
        lock (_lock)
        {
            _isClosed = true;
            _watch?.Dispose();
            readers = [.. _readers];
        }

        foreach (SubscriptionReader reader in readers)
        {
            reader.Stop();
        }

        await Channels.CloseAsync().On(PoolQueue.Work);
    }

    private void Watch()
    {
        List<SubscriptionReader>? silent = null;
        TimeSpan now = Now;
        lock (_lock)
        {
            bool isLate = now - _watchedAt > Late;
            _watchedAt = now;
            foreach (SubscriptionReader reader in _readers)
            {
                if (reader.FindLost(now, isLate))
                {
                    (silent ??= []).Add(reader);
                }
            }
        }

        foreach (SubscriptionReader reader in silent ?? [])
        {
            reader.AbandonStream();
        }

        lock (_lock)
        {
            if (_readers.Count > 0 && !_isClosed)
            {
                _watch!.Change(WatchEvery, Timeout.InfiniteTimeSpan);
            }
        }
    }
}
