using Larder.Client.Calls;
using Larder.Client.Fronts;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Topics;

/// <summary>A client's subscriptions that are being read: their connections, one timer that finds the silent ones among them, and their figures.</summary>
internal sealed class Subscriptions : IAsyncDisposable
{
    // Bytes that may wait unread for one subscription: some 2,000 messages of 100 bytes. Its server is held back from there on.
    private const int WindowBytes = 256 * 1024;

    // A message has at most 1 MiB (TOP-6): room for other servers' limits, and a bound on what one message of a hostile server takes.
    private const int MaxMessageBytes = 4 * 1024 * 1024;

    // How late a silent stream may be found; the shortest patience is 5 s, and a first message has the request timeout.
    private static readonly TimeSpan WatchEvery = TimeSpan.FromMilliseconds(100);

    // This process stood still for longer than that: what its streams brought is not read yet, and no stream is judged.
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

    public Subscriptions(Configuration configuration, CredentialProvider credentials, CallRunner runner, FrontSet? several, ILogger logger)
    {
        Runner = runner;
        Logger = logger;
        BackOff = RetryPolicy.From(configuration);
        _startedAt = runner.Clock.Now;
        Channels = new SubscriptionChannels(
            () => several?.Reachable ?? [(credentials.Fronts[0], null, true)],
            (address, at) => new SubscriptionFront(
                address,
                at,
                new CallHeaders(credentials.Only(address), configuration, runner.Tokens),
                new SubscriptionGate(RetryPolicy.ForConnecting(configuration), () => Now, Random.Shared.NextDouble)),
            front =>
            {
                // Made for each connection: files of certificates may have changed.
                RpcChannelOptions made = WireChannel.OptionsFor(configuration, credentials.Only(front.Address), front.At, runner.Clock.Provider, logger);
                return new RpcChannel(made with { StreamWindowBytes = WindowBytes, MaxReceiveMessageBytes = MaxMessageBytes });
            },
            Random.Shared.NextDouble);
    }

    public CallRunner Runner { get; }

    public ILogger Logger { get; }

    public RetryPolicy BackOff { get; }

    public SubscriptionChannels Channels { get; }

    /// <summary>The time since the client was made.</summary>
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

    /// <summary>A subscription begins; false where the client is closed.</summary>
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
                // It belongs to no caller: the ambient values of the first are not its.
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

    /// <summary>A subscription is over, and holds nothing any more.</summary>
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

        await Channels.CloseAsync().ConfigureAwait(false);
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
            reader.GiveStreamUp();
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
