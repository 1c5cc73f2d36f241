using Larder.Client.Calls;
using Larder.Client.Pipeline;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <content>
/// Opens the first stream, with waits between attempts if the server is unreachable. Handles the calls that wait for a stream (the parked calls).
/// </content>
internal sealed partial class PipelineTransport
{
    // Stops using a stream for new calls. If it was the last one, the next stream is opened, unless the server rejected the token (reopens is false), so that
    // the rejected token is not sent again in a loop. The next call then opens a stream, with a newer token if the provider has one. Returns whether another
    // stream is open.
    private bool Forget(PipelineStream stream, bool reopens = true)
    {
        lock (_lock)
        {
            if (_open.Contains(stream))
            {
                StopUsing(stream);
                if (_open.Length > 0 && Elapsed - stream.ChangedAt < LinkState.ShortLife)
                {
                    _plan.Failed(Elapsed);
                }
                else if (_open.Length == 0)
                {
                    TimeSpan wait = _link.Lost(Clock.Now, _random());
                    if (reopens)
                    {
                        EnsureConnecting(stream.Cache, wait);
                    }
                }
            }

            return _open.Length > 0;
        }
    }

    // The caller must hold the lock.
    private void EnsureConnecting(string cache, TimeSpan wait)
    {
        if (_link.TryBegin())
        {
            // The loop outlives the call that starts it, so the loop must not inherit the execution context of the call.
            using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
            _ = ConnectAsync(cache, wait);
        }
    }

    private async Task ConnectAsync(string cache, TimeSpan firstWait)
    {
        // Continue on another thread, without the caller's lock.
        await PoolQueue.Work.Yield();
        try
        {
            if (firstWait > TimeSpan.Zero)
            {
                await Task.Delay(firstWait, Clock.Provider, _closing.Token).On(PoolQueue.Work);
            }

            while (await OpenAsync(cache).On(PoolQueue.Work) is { } failure && CanReconnect(failure, out TimeSpan wait))
            {
                await Task.Delay(wait, Clock.Provider, _closing.Token).On(PoolQueue.Work);
                if (IsPipelinedNow)
                {
                    return;
                }

                lock (_lock)
                {
                    if (_link.TryAgain(Clock.Now))
                    {
                        _ = FailParkedLaterAsync(_link.Failures);
                    }
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The client is being closed.
        }
    }

    // Opens the first stream. Returns null if the stream is open, or if the server does not support the pipeline, in which case calls become unary. Otherwise
    // returns the failure.
    private async Task<Failure?> OpenAsync(string cache)
    {
        (PipelineStream? stream, Failure failure) = await OpenStreamAsync(cache).On(PoolQueue.Work);
        if (stream is not null)
        {
            Publish(stream);
            return null;
        }

        if (failure.Code == StatusCode.Unimplemented && _configuration.Transport == Transport.Auto)
        {
            FallBack();
            return null;
        }

        // An additional stream may have been opened in the meantime.
        return IsPipelinedNow ? null : failure;
    }

    private bool IsPipelinedNow => Volatile.Read(ref _open).Length > 0;

    // Opens a connection and a stream on it. Returns the stream, or null and the failure.
    private async Task<(PipelineStream? Stream, Failure Failure)> OpenStreamAsync(string cache)
    {
        CallHeaders.OfToken headers = _headers.Now;
        RpcChannel? channel = null;
        try
        {
            channel = new RpcChannel(_options());
            using CancellationTokenSource timeout = new(_configuration.ConnectTimeout, DedicatedTime.Instance);
            using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(_closing.Token, timeout.Token);
            DuplexCall call = await channel
                .OpenDuplexAsync(PipelineLimits.Path, CallHeaders.Greeting(cache.Length > 0 ? headers.For(cache) : headers.Common), limit.Token)
                .On(PoolQueue.Work);
            int ids = PipelineLimits.IdsFor(_configuration.MaxInFlightPipeline);
            return (new PipelineStream(this, channel, call, cache, ids, headers.Shown, _near), default);
        }
#pragma warning disable CA1031 // Any failure to open the stream fails the waiting calls. The next attempt may succeed.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            if (channel is not null)
            {
                await channel.DisposeAsync().On(PoolQueue.Work);
            }

            _closing.Token.ThrowIfCancellationRequested();
            return (null, exception is RpcException failed
                ? Failure.From(failed) with { Shown = headers.Shown }
                : new Failure(StatusCode.Unavailable, exception is OperationCanceledException ? "The stream was not opened in time." : exception.Message)
                {
                    NotProcessed = true,
                    Exception = exception,
                });
        }
    }

    // Called when an attempt to connect begins after the grace period. Calls then wait only a short time for this attempt (RETRY-9). Fails the waiting calls
    // after this time if the attempt is still in progress.
    private async Task FailParkedLaterAsync(int failures)
    {
        await Task.Delay(RetryPolicy.AttemptTimeout, Clock.Provider, _closing.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        List<(Call Call, long Version)> parked;
        lock (_lock)
        {
            if (!_link.TryIsLate(failures))
            {
                return;
            }

            parked = TakeParked();
        }

        FailAll(parked, NotConnected());
    }

    private void Publish(PipelineStream stream)
    {
        // Pass the stream to the near cache before the stream gets calls. If it requests to become the near stream, this request is then its first request.
        _near?.Offer(stream);
        List<(Call Call, long Version)> parked;
        int failures;
        lock (_lock)
        {
            if (!_link.TryOpen(Clock.Now, out failures))
            {
                _ = stream.EndAsync(_link.RefusalOf(Clock.Now)!.Value);
                return;
            }

            _plan.Reset();
            Use(stream);
            parked = TakeParked();
            Announce(null);
        }

        stream.Run();
        SendAll(parked);
        if (_mayHaveSeveral)
        {
            _planning.Wake();
        }

        Log.StreamOpened(_logger, _endpoint);
        if (failures > 0)
        {
            Log.Reconnected(_logger, _endpoint, failures);
        }
    }

    // Uses a stream for new calls. The caller must hold the lock.
    private void Use(PipelineStream stream)
    {
        stream.ChangedAt = Elapsed;
        _streams.Add(stream);
        Volatile.Write(ref _open, [.. _open, stream]);
    }

    // Uses a stream for no more new calls. The caller must hold the lock.
    private void StopUsing(PipelineStream stream) => Volatile.Write(ref _open, [.. _open.Where(open => open != stream)]);

    private void SendAll(List<(Call Call, long Version)> calls)
    {
        foreach ((Call call, long version) in calls)
        {
            if (call.TryHold(version))
            {
                Send(call, version, isCallersThread: false);
            }
        }
    }

    private void FallBack()
    {
        List<(Call Call, long Version)> parked;
        lock (_lock)
        {
            if (_open.Length > 0)
            {
                return;
            }

            _link.FallBack();
            parked = TakeParked();
            Announce(null);
        }

        Log.FallingBackToUnary(_logger, _endpoint);
        _near?.Unavailable("the server does not support the pipeline");
        foreach ((Call call, long version) in parked)
        {
            if (call.TryHold(version))
            {
                _unary.Resume(call, version);
            }
        }

        _runner.ChangeCap(_configuration.MaxInFlightUnary);
    }

    // Returns whether to try again to open a stream, and the wait before the next attempt.
    private bool CanReconnect(in Failure failure, out TimeSpan wait)
    {
        List<(Call Call, long Version)> parked;
        Failure forCalls;
        TimeSpan? next;
        int attempts;
        lock (_lock)
        {
            next = _link.Failed(failure, Clock.Now, _random());
            attempts = _link.Failures;
            parked = TakeParked();
            forCalls = _link.LastConnectFailure(Clock.Now);
            Announce(forCalls);
        }

        wait = next ?? TimeSpan.Zero;
        Log.ConnectFailed(_logger, _endpoint, failure.Code, failure.Message, attempts, wait.TotalMilliseconds);
        FailAll(parked, forCalls);
        return next is not null;
    }

    private void Announce(Failure? failure)
    {
        _outcome.TrySetResult(failure);
        _outcome = NewOutcome();
    }

    private static TaskCompletionSource<Failure?> NewOutcome() => new();
}
