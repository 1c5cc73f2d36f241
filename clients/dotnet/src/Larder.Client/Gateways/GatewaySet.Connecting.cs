using Larder.Client.Calls;
using Larder.Client.Gateways;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <content>Reconnects gateways that have no connection, and handles the calls that wait while no gateway is up (GATEWAY-8, GATEWAY-10).</content>
internal sealed partial class GatewaySet
{
    // The pause between two attempts to connect a gateway. In addition, the transport of the gateway backs off after a failure to connect.
    private static readonly TimeSpan AskAgain = TimeSpan.FromMilliseconds(100);

    private TaskCompletionSource<Failure?> _outcome = NewOutcome();
    private TimeSpan? _failingSince;
    private Failure _lastFailure;
    private bool _isWaitingForGateway;

    public async ValueTask ConnectAsync(CancellationToken cancellationToken)
    {
        if (Only is { } only)
        {
            await only.ConnectAsync(cancellationToken).On(PoolQueue.Work);
            return;
        }

        Task<Failure?> outcome;
        lock (_lock)
        {
            outcome = _outcome.Task;
        }

        ConnectAll();
        if (!IsAnyUp && await outcome.WaitAsync(cancellationToken).On(PoolQueue.Work) is { } failure)
        {
            throw new RpcException(new Status(failure.Code, failure.Message));
        }
    }

    private bool IsAnyUp => Array.Exists(Volatile.Read(ref _gateways), static gateway => gateway.Transport.IsReady);

    // Adds a call to the calls that wait for a gateway. If no gateway is expected to come up soon, fails the call instead. The call must be Busy.
    private void Wait(Call call, long version)
    {
        bool isHopeless;
        lock (_lock)
        {
            TimeSpan now = _now();
            call.Route = null;
            call.Gateway = null;
            isHopeless = IsPastGrace(now) && !HasAttemptToWaitFor(now, but: null);
            if (!isHopeless && !_closing.IsCancellationRequested)
            {
                call.Attempts++;
                _waiting.Add((call, version));
                WaitForGateway(now);
            }

            call.Leave(version, CallPhase.Sent);
        }

        ConnectAll();
        if (isHopeless)
        {
            FailSoon(call, version);
        }
        else if (IsAnyUp)
        {
            // A gateway may have come up before the call was added to the list, so send the waiting calls now.
            SendWaiting();
        }
    }

    // Fails the call on another thread. When a call ends, it passes its permit to the next call. If the next call failed on the same thread, the recursion
    // could overflow the stack.
    private void FailSoon(Call call, long version) => PoolQueue.Work.Add(
        static failing => failing.Call.Fail(failing.Version, failing.Set.NotConnected()),
        (Set: this, Call: call, Version: version));

    public Failure? Refusal
    {
        get
        {
            if (Only is { } only)
            {
                return only.Refusal;
            }

            lock (_lock)
            {
                return _failingSince is not null && !IsAnyUp ? NotConnected() : null;
            }
        }
    }

    private Failure NotConnected()
    {
        lock (_lock)
        {
            return Failure.NotConnected($"No gateway is available: {_lastFailure.Message}", _lastFailure.Exception, IsPastGrace(_now()));
        }
    }

    private void ConnectAll()
    {
        List<Gateway>? begun = null;
        lock (_lock)
        {
            // Every attempt is recorded before the first one starts. Otherwise, the first failure could end the wait before the others have started.
            foreach (Gateway gateway in _gateways)
            {
                if (!gateway.Transport.IsReady && TryBeginConnecting(gateway))
                {
                    (begun ??= []).Add(gateway);
                }
            }
        }

        begun?.ForEach(StartConnecting);
    }

    private void EnsureConnecting(Gateway gateway)
    {
        if (TryBeginConnecting(gateway))
        {
            StartConnecting(gateway);
        }
    }

    private bool TryBeginConnecting(Gateway gateway)
    {
        if (!gateway.TryBeginConnecting())
        {
            return false;
        }

        lock (_lock)
        {
            TimeSpan now = _now();
            gateway.TriedAt = gateway.SuspendedFor(now) == TimeSpan.Zero ? now : null;
        }

        return true;
    }

    private void StartConnecting(Gateway gateway)
    {
        // The loop outlives the call that starts it, so the loop must not inherit the execution context of the call.
        using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
        _ = ConnectAsync(gateway);
    }

    private async Task ConnectAsync(Gateway gateway)
    {
        // Continue on a thread of the work queue, not on the caller's thread.
        await PoolQueue.Work.Yield();
        try
        {
            while (!gateway.IsGone)
            {
                await Task.Delay(gateway.SuspendedFor(_now()), _clock.Provider, _closing.Token).On(PoolQueue.Work);
                if (await TryConnectAsync(gateway).On(PoolQueue.Work) && gateway.Transport.IsReady)
                {
                    break;
                }

                await Task.Delay(AskAgain, _clock.Provider, _closing.Token).On(PoolQueue.Work);
            }
        }
        catch (OperationCanceledException)
        {
            // The client is closing, or the gateway's address was removed.
        }

        gateway.FinishConnecting();
        SendWaiting();
    }

    private async Task<bool> TryConnectAsync(Gateway gateway)
    {
        lock (_lock)
        {
            gateway.TriedAt = _now();
        }

        try
        {
            await gateway.Transport.ConnectAsync(_closing.Token).On(PoolQueue.Work);
            // The server responded but does not support the pipeline. Calls then use a separate unary connection, so open this connection too.
            if (gateway.Transport is PipelineTransport { IsUnary: true } fallenBack)
            {
                await fallenBack.Unary.ConnectAsync(_closing.Token).On(PoolQueue.Work);
            }
        }
        catch (RpcException exception)
        {
            OnConnectFailed(gateway, Failure.From(exception));
            return false;
        }

        OnConnected(gateway);
        return true;
    }

    private void OnConnected(Gateway gateway)
    {
        lock (_lock)
        {
            gateway.TriedAt = null;
            gateway.LastFailure = null;
            _failingSince = null;
            Announce(null);
        }

        Log.GatewayUp(_logger, gateway.Name);
    }

    private void OnConnectFailed(Gateway gateway, Failure failure)
    {
        List<(Call Call, long Version)> waiting = [];
        Failure told;
        bool isNews;
        bool isRefusal = failure.Code != StatusCode.Unavailable;
        if (isRefusal)
        {
            gateway.Refused(_now(), _options.Random());
        }

        lock (_lock)
        {
            TimeSpan now = _now();
            isNews = gateway.LastFailure is null;
            gateway.TriedAt = null;
            gateway.LastFailure = failure.Message;
            _lastFailure = failure;
            bool isAnyUp = IsAnyUp;
            if (!isAnyUp)
            {
                _failingSince ??= now;
            }

            told = isRefusal ? failure : Failure.NotConnected($"No gateway is available: {failure.Message}", failure.Exception, IsPastGrace(now));
            // While another gateway is being connected, the calls continue to wait, because that attempt may succeed.
            if (!isAnyUp && !HasAttemptToWaitFor(now, but: gateway))
            {
                waiting = TakeWaiting();
                Announce(told);
            }
        }

        if (isNews)
        {
            Log.GatewayLeftOut(_logger, gateway.Name, failure.Message);
        }

        ResolveSoon();
        FailAll(waiting, told);
    }

    // After the grace period, calls wait only a short time for the current attempt to connect (RETRY-9). If the grace period has passed, starts the timer that
    // fails the waiting calls after this time. The caller must hold the lock.
    private void WaitForGateway(TimeSpan now)
    {
        if (!_isWaitingForGateway && IsPastGrace(now))
        {
            _isWaitingForGateway = true;
            using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
            _ = FailWaitingLaterAsync();
        }
    }

    private async Task FailWaitingLaterAsync()
    {
        await Task.Delay(RetryPolicy.AttemptTimeout, _clock.Provider, _closing.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        List<(Call Call, long Version)> waiting;
        lock (_lock)
        {
            _isWaitingForGateway = false;
            if (_closing.IsCancellationRequested || !IsPastGrace(_now()))
            {
                return;
            }

            waiting = TakeWaiting();
        }

        FailAll(waiting, NotConnected());
    }

    private void SendWaiting()
    {
        List<(Call Call, long Version)> waiting;
        lock (_lock)
        {
            if (!IsAnyUp)
            {
                return;
            }

            waiting = TakeWaiting();
        }

        foreach ((Call call, long version) in waiting)
        {
            if (call.TryHold(version))
            {
                Send(call, version, isCallersThread: false);
            }
        }
    }

    // The caller must hold the lock.
    private bool IsPastGrace(TimeSpan now) => _failingSince is { } since && now - since > RetryPolicy.Grace;

    // Returns whether a gateway is being connected and calls should wait for it. After the grace period, they wait only a short time for an attempt (RETRY-9).
    // The caller must hold the lock.
    private bool HasAttemptToWaitFor(TimeSpan now, Gateway? but)
    {
        bool isPastGrace = IsPastGrace(now);
        return Array.Exists(
            _gateways, gateway => gateway != but && gateway.TriedAt is { } tried && (!isPastGrace || now - tried < RetryPolicy.AttemptTimeout));
    }

    // The caller must hold the lock.
    private List<(Call Call, long Version)> TakeWaiting()
    {
        List<(Call Call, long Version)> taken = [.. _waiting];
        _waiting.Clear();
        return taken;
    }

    // Completes the task on which callers wait for a connection. The caller must hold the lock. The methods that await the task do not run under the lock,
    // because they continue on the work queue.
    private void Announce(Failure? failure)
    {
        _outcome.TrySetResult(failure);
        _outcome = NewOutcome();
    }

    private static TaskCompletionSource<Failure?> NewOutcome() => new();
}
