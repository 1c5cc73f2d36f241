using Larder.Client.Calls;
using Larder.Wire;
using Larder.Wire.Threads;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>
/// The channels of a client, each with its own connection. A call is assigned to the ready channel with the fewest calls, if this channel has fewer calls than
/// <see cref="ChannelPoolOptions.StreamsPerChannel"/>. A broken channel is replaced: immediately after the first failure, then after waits that double and have
/// jitter, regardless of the number of waiting callers (RETRY-7). If no channel is ready, calls wait for the outcome of the next attempt to connect. When
/// attempts have failed for <see cref="ChannelPoolOptions.FailFastAfter"/>, calls fail immediately.
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

    // Completes when the state of a channel changes. It exists only while calls wait. Otherwise every response that frees a slot on a full channel would have
    // to complete a task.
    private TaskCompletionSource? _news;
    private int _failures;

    // The number of consecutive connections that were lost soon after they were established, and the time of the last such loss.
    private int _shortLives;
    private long _lostAt;
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

    /// <summary>Gets the number of connected channels.</summary>
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

    /// <summary>Gets whether a channel has a connection that accepts new calls.</summary>
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

    /// <summary>Gets the number of calls on all channels.</summary>
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

    /// <summary>Gets a description of the pool's state.</summary>
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

    /// <summary>Assigns a call to a channel, waiting for a channel if necessary. The caller must return the channel once with <see cref="Release"/>.</summary>
    /// <exception cref="ConnectException">No channel is ready, and connecting a channel failed.</exception>
    /// <exception cref="OperationCanceledException">The caller has cancelled, or the pool is closed.</exception>
    public ValueTask<PooledChannel> AcquireAsync(CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            return TryTake(out PooledChannel? channel) ? new ValueTask<PooledChannel>(channel!) : WaitAsync(cancellationToken);
        }
    }

    /// <summary>Assigns a call to a ready channel. Returns null if no channel is ready. In that case, <see cref="AcquireAsync"/> waits for a channel.</summary>
    public PooledChannel? TryAcquire()
    {
        lock (_lock)
        {
            return TryTake(out PooledChannel? channel) ? channel : null;
        }
    }

    /// <summary>Removes a call from a channel. If <paramref name="isBroken"/> is true, the channel is replaced.</summary>
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

    /// <summary>Checks the invariants and throws if one is violated.</summary>
    public void AssertValid()
    {
        lock (_lock)
        {
            bool holds = _channels.Count <= _options.Most
                && _channels.TrueForAll(static channel => channel.Streams is >= 0 and <= ChannelPoolOptions.StreamsPerChannel && !channel.IsRetired);
            if (!holds)
            {
                throw new InvalidOperationException("ChannelPool: a channel exceeds its limit, or is retired but still in the pool.");
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
            await CloseAsync(channel).On(PoolQueue.Work);
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

                ThrowIfPermanentFault();
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

    // The caller must hold the lock.
    private bool IsPastGrace =>
        _failures > 0 && (PermanentConnectionFault.Is(_lastFailure) || _clock.Between(_failingSince, _clock.Now) > _options.FailFastAfter);

    private void ThrowIfPermanentFault()
    {
        if (_attempting == 0 && IsPastGrace)
        {
            throw NotConnected(failFast: true);
        }
    }

    // Waits for a change of the channels. After the grace period, waits only a short time for the current attempt to connect (RETRY-9), and returns false if
    // the attempt took too long.
    private async ValueTask<bool> TryWaitAsync(Task news, CancellationToken cancellationToken)
    {
        bool isPastGrace;
        lock (_lock)
        {
            isPastGrace = IsPastGrace && !_channels.Exists(static channel => channel.IsReady);
        }

        try
        {
            await news.WaitAsync(isPastGrace ? RetryPolicy.AttemptTimeout : Timeout.InfiniteTimeSpan, _clock.Provider, cancellationToken).On(PoolQueue.Work);
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
    }

    /// <summary>Gets the failure of the last attempt to connect, or null if a channel is ready or no attempt has failed.</summary>
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
        new($"No connection: {_lastFailure?.Status.Message ?? "the last connection was lost"}", _lastFailure?.InnerException, failFast);

    private async Task CloseAsync(IChannel channel)
    {
        try
        {
            await channel.DisposeAsync().On(PoolQueue.Work);
        }
        catch (Exception exception) when (exception is IOException or InvalidOperationException or RpcException)
        {
            // Closing a broken connection may fail. The failure is only logged.
            Log.CloseFailed(_logger, exception);
        }
    }

    // The caller must hold the lock. Wakes all waiting calls. The calls continue on another thread, so they do not run while this thread holds the lock.
    private void Announce()
    {
        _news?.TrySetResult();
        _news = null;
    }
}
