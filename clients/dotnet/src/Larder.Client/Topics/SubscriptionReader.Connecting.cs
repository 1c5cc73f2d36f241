using System.Diagnostics;
using System.Text;
using Larder.Client.Calls;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client.Topics;

/// <content>Connects a subscription to the server, and reconnects it after a failure.</content>
internal sealed partial class SubscriptionReader
{
    private const string PositionHeader = "topic-position";
    private const string FromHeader = "topic-from";

    // The maximum number of token renewals, as for calls (AUTH-31). A rejected token is usually replaced once. Further rejections are tolerated only if the
    // rejected token has been replaced since it was sent.
    private const int MaxRenewals = 4;

    private readonly TimeSpan _requestTimeout;
    private TimeSpan _startedAt;
    private SubscriptionChannel? _channel;
    private SubscriptionGateway? _failedGateway;
    private StreamingCall? _call;
    private Activity? _span;
    private StatusCode? _lost;
    private bool _isOpening;
    private int _renewals;
    private int _shown;
    private int _asked;
    private int _sends;
    private long _reconnects;

    public long Reconnects => Volatile.Read(ref _reconnects);

    /// <summary>Returns whether the stream has been silent for too long. Called by the timer.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="isLate">Whether the timer itself ran late. If it did, the measured silence of the stream is reset to 0.</param>
    public bool FindLost(TimeSpan now, bool isLate)
    {
        lock (_lock)
        {
            if (isLate)
            {
                _state.Resumed(now);
            }

            _lost ??= _isWaiting ? _state.Lost(now) : null;
            return _lost is not null;
        }
    }

    /// <summary>Aborts the stream that <see cref="FindLost"/> found to be lost.</summary>
    public void AbandonStream()
    {
        CancellationTokenSource? attempt;
        lock (_lock)
        {
            // The stream may already have failed for another reason, and a new attempt may be in progress. That attempt must not be aborted.
            attempt = _lost is null ? null : _attempt;
        }

        attempt?.Cancel();
    }

    private async ValueTask<StreamingCall> OpenAsync()
    {
        SubscriptionStartRequest ask;
        CancellationToken attempt;
        lock (_lock)
        {
            ask = _state.Connect(_owner.Now) ?? throw new InvalidOperationException("The subscription has already ended.");
            attempt = _attempt.Token;
            _isWaiting = true;
        }

        if (_asked++ > 0)
        {
            Volatile.Write(ref _reconnects, _reconnects + 1);
        }

        _isOpening = true;
        _span = _owner.Runner.Telemetry.StartSpan("subscribe", Encoding.UTF8.GetString(_cache.ToArray()));
        _sends = 0;
        await AwaitFirstTokenAsync(attempt).On(PoolQueue.Callers);
        await ConnectAsync(attempt).On(PoolQueue.Callers);
        CallHeaders.OfToken shown = _channel!.Gateway.Headers.Now;
        _shown = shown.Shown;
        RpcHeaders headers = CallHeaders.Greeting(shown.Common);
        _sends = 1;
        _call = await _channel.Channel.OpenServerStreamAsync(
            SubscribeRequest.Method,
            new SubscribeRequest(_cache, _topic, ask),
            ask.FromNow ? headers.With(FromHeader, "now") : headers,
            attempt).On(PoolQueue.Callers);
        lock (_lock)
        {
            _state.Opened(_call.FindHeader(PositionHeader));
        }

        return _call;
    }

    // Reserves a slot on a connection, and waits until this connection is open.
    private async ValueTask ConnectAsync(CancellationToken attempt)
    {
        _channel ??= _owner.Channels.Take(_failedGateway);
        while (true)
        {
            SubscriptionChannel channel = _channel;
            await channel.Gateway.Gate.PassAsync(channel.Channel, attempt).On(PoolQueue.Callers);
            if (!channel.Channel.IsConnected)
            {
                // A call on the channel would connect again without the gate (RETRY-7).
                throw new RpcException(new Status(StatusCode.Unavailable, "The server closed the connection before a message arrived."));
            }

            _channel = _owner.Channels.Settle(channel);
            if (_channel == channel)
            {
                return;
            }
        }
    }

    private async ValueTask AwaitFirstTokenAsync(CancellationToken attempt)
    {
        if (_owner.Runner.Tokens is not { Current.Number: 0 } tokens)
        {
            return;
        }

        if (await tokens.NewerThanAsync(0).AsTask().WaitAsync(attempt).On(PoolQueue.Callers) is { } missing)
        {
            throw new NoTokenException(missing);
        }
    }

    // Handles the failure of the stream. Returns true if the subscription ends with an error event. Otherwise waits, and returns false when it is time to
    // retry.
    private async ValueTask<bool> FailAsync(Exception exception)
    {
        Failure failure;
        TimeSpan? wait;
        Close();
        lock (_lock)
        {
            failure = FailureOf(exception);
            _isWaiting = false;
            _lost = null;
            if (_attempt.IsCancellationRequested && !_isStopped)
            {
                _attempt = new CancellationTokenSource();
            }
        }

        EndOpening(failure.Code);
        if (failure.Code == StatusCode.Unauthenticated && _owner.Runner.Tokens is { } tokens && MayRenew(tokens))
        {
            (bool isRenewed, failure) = await RenewAsync(tokens, failure).On(PoolQueue.Callers);
            if (isRenewed)
            {
                return false;
            }
        }

        TimeSpan closed = TimeSpan.Zero;
        if (_channel is { Channel.IsConnected: false } lost)
        {
            // An attempt before the end of this time would fail, unless there is another gateway.
            closed = lost.Gateway.Gate.Doubt(lost.Channel, new Status(StatusCode.Unavailable, failure.Message));
            closed = _owner.Channels.HasOther(lost.Gateway) ? TimeSpan.Zero : closed;
        }

        lock (_lock)
        {
            wait = _state.Failed(failure.Code, _owner.Now, Random.Shared.NextDouble(), closed);
        }

        if (wait is not { } pause)
        {
            // The status in _state.Error takes precedence over the failure's code, because the server may end a stream with status OK (TOP-24).
            Current = new TopicEvent.Error(ErrorOf(failure, _state.Error ?? failure.Code));
            return !_isStopped;
        }

        Log.SubscriptionLost(_owner.Logger, failure.Code, failure.Message, pause.TotalMilliseconds);
        Leave();
        await Task.Delay(pause, _owner.Runner.Clock.Provider, _attempt.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // Continue on another thread and not on the timer's thread, because application code may run after this method.
        await PoolQueue.Callers.Yield();
        return false;
    }

    private bool MayRenew(TokenSource tokens) => tokens.Current.Number > 0
        && (_renewals == 0 || (_renewals < MaxRenewals && _shown > 0 && _shown < tokens.Current.Number));

    private async ValueTask<(bool IsRenewed, Failure Failure)> RenewAsync(TokenSource tokens, Failure refused)
    {
        _renewals++;
        try
        {
            Task<NoToken?> asking = tokens.NewerThanAsync(_shown).AsTask();
            NoToken? missing = await asking.WaitAsync(_requestTimeout, _owner.Runner.Clock.Provider, _attempt.Token).On(PoolQueue.Callers);
            if (missing is null)
            {
                lock (_lock)
                {
                    _state.Renew();
                }

                return (true, refused);
            }

            string why = refused.Message.Length > 0 && missing.Message.Length > 0 ? $"{refused.Message}; {missing.Message}" : refused.Message + missing.Message;
            return (false, new Failure(StatusCode.Unauthenticated, why) { Cause = refused.Cause, Exception = missing.Exception });
        }
        catch (TimeoutException)
        {
            return (false, new Failure(StatusCode.DeadlineExceeded, "The token provider did not return within the request timeout."));
        }
        catch (OperationCanceledException)
        {
            return (false, new Failure(StatusCode.Cancelled, "The subscription was closed by the reader."));
        }
    }

    // The caller must hold the lock.
    private Failure FailureOf(Exception exception) => _lost is { } lost
        ? new Failure(
            lost,
            lost == StatusCode.DeadlineExceeded ? "The server sent nothing within the request timeout." : "The server stopped sending messages and heartbeats.")
        : exception switch
        {
            RpcException failed => Failure.From(failed),
            NoTokenException => new Failure(StatusCode.Unauthenticated, exception.Message) { Exception = exception.InnerException },
            FormatException => new Failure(StatusCode.Internal, exception.Message) { Exception = exception },
            _ => new Failure(StatusCode.Unavailable, exception.Message) { Exception = exception },
        };

    private CacheError ErrorOf(in Failure failure, StatusCode status)
    {
        CacheErrorCode code = Failure.CodeOf(status);
        return new CacheError(code, _owner.Runner.ReasonOf(code, failure.Message))
        {
            Cause = failure.Cause,
            Exception = failure.Exception,
            IsUnsupported = status == StatusCode.Unimplemented,
            Operation = "subscribe",
            KeyLength = _topic.Length,
            Elapsed = _owner.Now - _startedAt,
            InFlight = _owner.Runner.Limiter.InFlight,
            InFlightLimit = _owner.Runner.Limiter.Limit,
            Queued = _owner.Runner.Limiter.Waiting,
            Attempts = _asked,
            Connection = _channel is { Channel.IsConnected: true } ? "connected" : "not connected",
            ThreadPoolBacklog = ThreadPool.PendingWorkItemCount,
        };
    }

    private void OnFirstMessage()
    {
        _renewals = 0;
        _channel?.Gateway.Gate.Confirm();
        EndOpening(StatusCode.Ok);
    }

    private void EndOpening(StatusCode status)
    {
        _isOpening = false;
        if (_span is { } span)
        {
            _span = null;
            Telemetry.EndSpan(span, _sends, status == StatusCode.Ok ? null : Failure.CodeOf(status));
        }
    }

    // Closes the stream. Must not be called during a read.
    private void Close()
    {
        _call?.Dispose();
        _call = null;
    }

    // Returns the slot on the connection, and records the gateway so that the next attempt uses a different gateway if there is one.
    private void Leave()
    {
        if (_channel is { } channel)
        {
            _failedGateway = channel.Gateway;
            _channel = null;
            _owner.Channels.Release(channel);
        }
    }
}
