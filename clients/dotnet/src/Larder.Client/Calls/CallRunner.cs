using Larder.Client.Adaptive;
using Larder.Client.Near;
using Larder.Client.Operations;
using Larder.Wire;
using Larder.Wire.Threads;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Calls;

/// <summary>
/// Runs calls: waits for a permit, starts attempts, decides about retries, and ends calls. The rules for deadlines, cancellation, the concurrency limit and
/// retries are implemented only here, not in the transports.
/// </summary>
internal sealed partial class CallRunner : IAsyncDisposable
{
    private readonly Configuration _configuration;
    private readonly RetryPolicy _policy;
    private readonly RetryBudget _budget;
    private readonly DeadlineSweep _sweep;
    private readonly Func<double> _random;
    private readonly ILogger _logger;
    private readonly CallPools _pools;
    private readonly AdaptiveLimiter? _adaptive;
    private ITransport? _transport;
    private ITransport? _owner;
    private volatile bool _closed;

    public CallRunner(
        Configuration configuration,
        InFlightLimiter limiter,
        Clock clock,
        Telemetry telemetry,
        Func<double> random,
        ILogger logger,
        TokenProvider? provider = null)
    {
        Tokens = provider is null ? null : new TokenSource(provider, clock);
        _configuration = configuration;
        _policy = RetryPolicy.From(configuration);
        _budget = new RetryBudget(configuration.RetryBudget, limiter.Limit);
        _random = random;
        _logger = logger;
        _pools = new CallPools(this);
        Limiter = limiter;
        Clock = clock;
        Telemetry = telemetry;
        _sweep = new DeadlineSweep(clock, OnDue);
        if (configuration.AdaptiveTarget is { } target)
        {
            _adaptive = new AdaptiveLimiter(limiter, Math.Min(limiter.Limit, Configuration.MaxInFlight), target, clock, telemetry, logger);
        }
    }

    public InFlightLimiter Limiter { get; }

    /// <summary>Gets the near cache, or null if the client has none.</summary>
    public NearReads? Near { get; init; }

    /// <summary>Gets whether the client has been closed.</summary>
    public bool IsClosed => _closed;

    /// <summary>Gets the source of the provider's token, or null if there is no provider.</summary>
    public TokenSource? Tokens { get; }

    /// <summary>Gets whether the adaptive limit cannot meet its latency target.</summary>
    public bool IsTargetOutOfReach => _adaptive is { IsOutOfReach: true };

    public Clock Clock { get; }

    public Telemetry Telemetry { get; }

    public ILogger Logger => _logger;

    private ITransport Transport => _transport!;

    /// <summary>
    /// Sets the transport. It is not a constructor parameter because creating the transport requires the runner. Must be called before the first call.
    /// </summary>
    public void Use(ITransport transport)
    {
        _owner = transport;
        GatewaySet? gateways = transport as GatewaySet;
        Route(gateways?.Only ?? transport);
        gateways?.Begin();
    }

    /// <summary>Sets where calls are sent: to one gateway's transport, or to the set of all gateways.</summary>
    public void Route(ITransport transport) => Volatile.Write(ref _transport, transport);

    /// <summary>
    /// Runs a call with the timeout <paramref name="timeout"/> in ticks of the clock. The task never faults, because errors are returned as responses.
    /// </summary>
    public ValueTask<TResponse> Run<TOperation, TResponse>(string cache, in TOperation operation, long timeout, CancellationToken cancellationToken)
        where TOperation : IOperation<TOperation, TResponse>
        where TResponse : class =>
        Run<TOperation, TResponse>(cache, operation, Clock.Now, timeout, cancellationToken);

    /// <summary>Runs a call, or one part of a batch, whose timeout began at <paramref name="startedAt"/>.</summary>
    public ValueTask<TResponse> Run<TOperation, TResponse>(
        string cache,
        in TOperation operation,
        long startedAt,
        long timeout,
        CancellationToken cancellationToken)
        where TOperation : IOperation<TOperation, TResponse>
        where TResponse : class
    {
        ObjectDisposedException.ThrowIf(_closed, typeof(CacheClient));
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromResult(
                TOperation.Fail(new CacheError(CacheErrorCode.Cancelled, "The caller cancelled before the call started.") { Operation = TOperation.Info.Name })
            );
        }

        TypedCall<TOperation, TResponse> call = _pools.Of<TOperation, TResponse>().Rent();
        call.SetOperation(operation);
        call.Activity = Telemetry.StartSpan(TOperation.Info.Name, cache, TOperation.BatchSizeOf(operation));
        ValueTask<TResponse> task = call.Task;
        if (BlockingScope.Current is { } scope)
        {
            call.Hold();
            scope.Add(call);
        }

        long version = call.Begin(cache, startedAt, startedAt + timeout);
        _sweep.Watch(call, call.DeadlineAt);
        Enter(call, version);
        if (cancellationToken.CanBeCanceled)
        {
            // The call may have ended already, but its object cannot be reused before the caller takes the result of the task that is returned below.
            call.Registration = cancellationToken.UnsafeRegister(static state => ((Call)state!).Runner.Cancel((Call)state!, "The caller cancelled."), call);
        }

        return task;
    }

    /// <summary>
    /// Offers a permit to a queued call. Returns false if the call does not take the permit because it has ended or its deadline has passed. If the deadline
    /// has passed, the call fails and is not sent.
    /// </summary>
    public bool OnGranted(Call call, long version)
    {
        if (!call.TryMove(version, CallPhase.Queued, CallPhase.Busy))
        {
            return false;
        }

        long now = Clock.Now;
        if (now >= call.DeadlineAt)
        {
            call.Leave(version, CallPhase.Ended);
            Finish(call, CallPhase.Ended, TimeoutOf(call));
            return false;
        }

        Admit(call, now);
        if (Tokens is not { Current.Number: 0 })
        {
            Transport.Resume(call, version);
        }
        else
        {
            AwaitToken(Tokens, call, version, 0);
        }

        return true;
    }

    /// <summary>Handles a failed attempt: retries the call or ends it.</summary>
    public void OnFailed(Call call, long version, in Failure failure)
    {
        if (!call.TryHold(version))
        {
            return;
        }

        if (failure.Cause == RpcException.NotExecutedCause && Transport is GatewaySet gateways)
        {
            gateways.OnRefused(call.Gateway);
        }

        call.FailNear();
        call.LastFailure = failure;
        call.HasFailed = true;
        if (Tokens is not null && !_closed && MayRenew(Tokens, call, failure))
        {
            call.Renewals++;
            AwaitToken(Tokens, call, version, failure.Shown > 0 ? failure.Shown : Tokens.Current.Number);
            return;
        }

        if (!_closed && _policy.MayMove(call.Operation, failure) && !call.HasMoved)
        {
            // The call moves to another stream at once (PIPE-22). The next retry counts as the first one.
            call.HasMoved = true;
            (call.Attempts, call.Sends) = (call.Attempts - 1, call.Sends - 1);
            RetryAfter(TimeSpan.Zero, call, version, failure);
            return;
        }

        TimeSpan remaining = Clock.Between(Clock.Now, call.DeadlineAt);
        RetryDecision decision = _closed
            ? RetryDecision.GiveUp
            : _policy.Decide(call.Operation, failure, call.Attempts, call.Sends, remaining, _budget, _random());
        if (decision.Retries)
        {
            RetryAfter(decision.Wait, call, version, failure);
            return;
        }

        call.Leave(version, CallPhase.Sent);
        CallPhase phase = call.TryEnd(version);
        if (phase != CallPhase.Idle)
        {
            Finish(call, phase, ErrorOf(call, failure));
        }
    }

    /// <summary>
    /// Updates the near cache and the telemetry for an ended call, and releases its permit or removes the call from the queue. The call has its response,
    /// but the caller's task is not completed yet.
    /// </summary>
    public void OnEnded(Call call, CallPhase endedFrom, object response, NearTerms terms = default)
    {
        if (Near is not null)
        {
            call.EndCopies(Near, terms);
        }

        Telemetry.Ended(call, response);
        if (endedFrom is CallPhase.Sent or CallPhase.BackingOff)
        {
            _adaptive?.Ended(call.GrantedAt, Clock.Now, response is ICacheResult { Error: not null });
            Limiter.Exit();
        }
        else if (endedFrom == CallPhase.Queued)
        {
            // If the call is no longer in the queue, another thread is about to grant it a permit. The call then declines the permit (OnGranted returns false).
            Limiter.TryLeave(call);
        }
    }

    /// <summary>Sets a new maximum for the limit. Called when calls switch to another transport.</summary>
    public void ChangeCap(int cap)
    {
        if (_adaptive is null)
        {
            Limiter.ChangeLimit(cap);
        }
        else
        {
            _adaptive.ChangeMost(Math.Min(cap, Configuration.MaxInFlight));
        }
    }

    /// <summary>Ends a call with the error Cancelled, on behalf of its caller or of the client.</summary>
    public void Cancel(Call call, string reason) =>
        End(call, call.Version, static (runner, call, reason) => runner.ErrorOf(call, new Failure(StatusCode.Cancelled, (string)reason!)), reason);

    public async ValueTask DisposeAsync()
    {
        _closed = true;
        Tokens?.Dispose();
        await _owner!.DisposeAsync().On(PoolQueue.Work);
        foreach ((Call call, long version) in _sweep.RunningCalls())
        {
            End(call, version, static (runner, call, _) => runner.ErrorOf(call, new Failure(StatusCode.Cancelled, "The client was closed.")), null);
        }

        _sweep.Dispose();
        Near?.Dispose();
        Telemetry.Dispose();
    }

    private void RetryAfter(TimeSpan wait, Call call, long version, in Failure failure)
    {
        call.RetryAt = Clock.Now + Clock.Ticks(wait);
        Log.Retrying(_logger, call.Operation.Name, call.Cache, wait.TotalMilliseconds, failure.Code, failure.Message, call.Attempts);
        call.Leave(version, CallPhase.BackingOff);
        _sweep.Watch(call, call.RetryAt);
    }

    private void Enter(Call call, long version)
    {
        switch (Limiter.Enter(call))
        {
            case Admission.Granted when call.TryMove(version, CallPhase.Queued, CallPhase.Busy):
                Admit(call, call.StartedAt);
                if (Tokens is not { Current.Number: 0 })
                {
                    Transport.Start(call, version);
                }
                else
                {
                    AwaitToken(Tokens, call, version, 0);
                }

                break;
            case Admission.Granted:
                Limiter.Exit();
                break;
            case Admission.Refused:
                End(call, version, static (runner, call, _) => runner.OverloadOf(call), null);
                break;
        }
    }

    private void Admit(Call call, long now)
    {
        call.GrantedAt = now;
        _budget.Deposit();
    }

    private void OnDue(Call call, long version)
    {
        if (call.DeadlineAt > Clock.Now)
        {
            Resend(call, version);
            return;
        }

        End(call, version, static (runner, call, _) => runner.TimeoutOf(call), null);
    }

    private void Resend(Call call, long version)
    {
        if (call.TryMove(version, CallPhase.BackingOff, CallPhase.Busy))
        {
            _sweep.Watch(call, call.DeadlineAt);
            Transport.Resume(call, version);
        }
    }

    private void End(Call call, long version, Func<CallRunner, Call, object?, CacheError> error, object? state)
    {
        CallPhase phase = call.TryEnd(version);
        if (phase == CallPhase.Idle)
        {
            return;
        }

        CacheError made = error(this, call, state);
        if (phase == CallPhase.Sent)
        {
            Transport.Abandon(call, version);
        }

        Finish(call, phase, made);
    }

    private void Finish(Call call, CallPhase phase, CacheError error)
    {
        call.SetFailure(error);
        Log.CallFailed(_logger, call.Operation.Name, call.Cache, error.Code, call.Sends, error.Reason);
        OnEnded(call, phase, call.Response);
        PoolQueue.Callers.Add(call);
    }
}
