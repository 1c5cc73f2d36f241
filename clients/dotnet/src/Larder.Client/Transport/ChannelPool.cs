using Larder.Client.Calls;
using Larder.Wire;
using Larder.Wire.Threads;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>
/// The channels of a client, each its own connection. A call takes the ready channel with the fewest calls, never one that carries
/// <see cref="ChannelPoolOptions.StreamsPerChannel"/> already. A broken channel is replaced: at once the first time, then after jittered, doubling waits
/// however many callers wait (RETRY-7). Without a ready channel calls wait for the next attempt's outcome; once attempts have failed for
/// <see cref="ChannelPoolOptions.FailFastAfter"/> they fail at once.
/// </summary>
internal sealed partial class ChannelPool : IAsyncDisposable
{
    private readonly ChannelPoolOptions _options;
    private readonly Func<IChannel> _create;
    private readonly RetryPolicy _backOff;
    private readonly Func<double> _random;
    private readonly Clock _clock;
    private readonly ILogger _logger;
    private readonly Lock _lock = new();
    private readonly List<PooledChannel> _channels = [];
    private readonly CancellationTokenSource _closing = new();

    // Made for those who wait, and for nobody else: with full channels every answer would announce a place.
    private TaskCompletionSource? _news;
    private int _failures;
    private long _failingSince;
    private int _attempting;
    private RpcException? _lastFailure;

    public ChannelPool(ChannelPoolOptions options, Func<IChannel> create, RetryPolicy backOff, Func<double> random, Clock clock, ILogger logger)
    {
        _options = options;
        _create = create;
        _backOff = backOff;
        _random = random;
        _clock = clock;
        _logger = logger;
    }

    /// <summary>Channels that are connected.</summary>
    public int Connected
    {
        get
        {
            lock (_lock)
            {
                return _channels.Count(static channel => channel.IsReady);
            }
        }
    }

    /// <summary>True while a channel has a connection that takes new calls.</summary>
    public bool TakesCalls
    {
        get
        {
            lock (_lock)
            {
                foreach (PooledChannel channel in _channels)
                {
                    if (channel is { IsReady: true, Channel.IsConnected: true })
                    {
                        return true;
                    }
                }

                return false;
            }
        }
    }

    /// <summary>Calls on the channels.</summary>
    public int Streams
    {
        get
        {
            lock (_lock)
            {
                int streams = 0;
                foreach (PooledChannel channel in _channels)
                {
                    streams += channel.Streams;
                }

                return streams;
            }
        }
    }

    /// <summary>The pool's state in words.</summary>
    public string State
    {
        get
        {
            lock (_lock)
            {
                int ready = _channels.Count(static channel => channel.IsReady);
                return ready > 0 ? $"connected ({ready} of {_channels.Count})"
                    : _failures > 0 ? $"failed {_failures} times ({_lastFailure?.Status.Message})"
                    : _channels.Count > 0 ? "connecting" : "not connected";
            }
        }
    }

    /// <summary>Puts one call on a channel. The caller gives it back by <see cref="Release"/>, once.</summary>
    /// <exception cref="ConnectException">There is none, and none could be made.</exception>
    /// <exception cref="OperationCanceledException">The caller gave up waiting, or the pool is closed.</exception>
    public ValueTask<PooledChannel> AcquireAsync(CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            return TryTake(out PooledChannel? channel) ? new ValueTask<PooledChannel>(channel!) : WaitAsync(cancellationToken);
        }
    }

    /// <summary>Puts one call on a channel that is ready; null where there is none, and <see cref="AcquireAsync"/> waits for one.</summary>
    public PooledChannel? TryAcquire()
    {
        lock (_lock)
        {
            return TryTake(out PooledChannel? channel) ? channel : null;
        }
    }

    /// <summary>Takes one call off a channel; where the connection broke beneath it, the channel is replaced.</summary>
    public void Release(PooledChannel channel, bool isBroken)
    {
        IChannel? toClose = null;
        lock (_lock)
        {
            channel.Streams--;
            if (isBroken && !channel.IsRetired)
            {
                Replace(channel);
            }

            if (channel.IsRetired && channel.Streams == 0)
            {
                toClose = channel.Channel;
                channel.Channel = null;
            }
            else if (channel.Streams == ChannelPoolOptions.StreamsPerChannel - 1)
            {
                Announce();
            }
        }

        if (toClose is not null)
        {
            _ = CloseAsync(toClose);
        }
    }

    /// <summary>Walks the invariants. Throws where one does not hold.</summary>
    public void AssertValid()
    {
        lock (_lock)
        {
            bool holds = _channels.Count <= _options.Most
                && _channels.TrueForAll(static channel => channel.Streams is >= 0 and <= ChannelPoolOptions.StreamsPerChannel && !channel.IsRetired);
            if (!holds)
            {
                throw new InvalidOperationException("ChannelPool: a channel is past its bound, or retired and still in the pool.");
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        Cancellation.Cancel(_closing);
        List<IChannel> channels;
        lock (_lock)
        {
            channels = [.. _channels.Where(static channel => channel.Channel is not null).Select(static channel => channel.Channel!)];
            _channels.Clear();
            Announce();
        }

        foreach (IChannel channel in channels)
        {
            await CloseAsync(channel).ConfigureAwait(false);
        }
    }

    private bool TryTake(out PooledChannel? taken)
    {
        taken = null;
        foreach (PooledChannel channel in _channels)
        {
            bool hasRoom = channel.IsReady && channel.Streams < ChannelPoolOptions.StreamsPerChannel;
            if (hasRoom && (taken is null || channel.Streams < taken.Streams))
            {
                taken = channel;
            }
        }

        if (_channels.Count < _options.Least || (taken is null && _channels.Count < _options.Most && _channels.TrueForAll(static channel => channel.IsReady)))
        {
            Add(TimeSpan.Zero);
        }

        if (taken is not null)
        {
            taken.Streams++;
        }

        return taken is not null;
    }

    private async ValueTask<PooledChannel> WaitAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            Task news;
            int failures;
            lock (_lock)
            {
                _closing.Token.ThrowIfCancellationRequested();
                if (TryTake(out PooledChannel? channel))
                {
                    return channel!;
                }

                ThrowIfHopeless();
                news = (_news ??= new TaskCompletionSource()).Task;
                failures = _failures;
            }

            bool isNews = await TryWaitAsync(news, cancellationToken).On(PoolQueue.Work);
            lock (_lock)
            {
                if (!isNews)
                {
                    throw NotConnected(failFast: true);
                }

                if (_failures > failures && !_channels.Exists(static channel => channel.IsReady))
                {
                    throw NotConnected(IsPastGrace);
                }
            }
        }
    }

    // Under the lock.
    private bool IsPastGrace =>
        _failures > 0 && (LastingFault.Is(_lastFailure) || _clock.Between(_failingSince, _clock.Now) > _options.FailFastAfter);

    private void ThrowIfHopeless()
    {
        if (_attempting == 0 && IsPastGrace)
        {
            throw NotConnected(failFast: true);
        }
    }

    // Past the grace a try that is under way is waited for, but not for long (RETRY-9). False where it was too long.
    private async ValueTask<bool> TryWaitAsync(Task news, CancellationToken cancellationToken)
    {
        bool isPastGrace;
        lock (_lock)
        {
            isPastGrace = IsPastGrace && !_channels.Exists(static channel => channel.IsReady);
        }

        try
        {
            await news.WaitAsync(isPastGrace ? RetryPolicy.TryPatience : Timeout.InfiniteTimeSpan, _clock.Provider, cancellationToken).On(PoolQueue.Work);
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
    }

    /// <summary>As <see cref="ITransport.Refusal"/>.</summary>
    public Failure? Refusal
    {
        get
        {
            lock (_lock)
            {
                return _failures > 0 && !_channels.Exists(static channel => channel.IsReady) ? NotConnected(IsPastGrace).ToFailure() : null;
            }
        }
    }

    private ConnectException NotConnected(bool failFast) =>
        new($"No connection: {_lastFailure?.Status.Message ?? "the last one broke"}", _lastFailure?.InnerException, failFast);

    private async Task CloseAsync(IChannel channel)
    {
        try
        {
            await channel.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or InvalidOperationException or RpcException)
        {
            // A connection that is given up may refuse to end politely.
            Log.CloseFailed(_logger, exception);
        }
    }

    // Under the lock: wakes all who wait for something to change. They go on elsewhere.
    private void Announce()
    {
        _news?.TrySetResult();
        _news = null;
    }
}
