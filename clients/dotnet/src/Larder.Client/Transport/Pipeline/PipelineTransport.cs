using Larder.Client.Calls;
using Larder.Client.Near;
using Larder.Client.Pipeline;
using Larder.Wire;
using Larder.Wire.Threads;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>
/// Sends many calls in each message of long-lived streams (spec/pipeline.md), each on a connection of its own. The transport opens the first stream when it
/// is needed, and replaces it when it breaks, is draining or has no unused ids. Further streams are opened and closed by load (PipelineTransport.Streams.cs).
/// While there is no stream, calls are parked: they wait until the next stream is open or the attempt to open it has failed. Control calls and large values use
/// a separate unary transport. With <see cref="Transport.Auto"/>, all calls use the unary transport if the server does not support the pipeline.
/// </summary>
internal sealed partial class PipelineTransport : IGatewayTransport, IPipelineHost
{
    private readonly Configuration _configuration;
    private readonly UnaryTransport _unary;
    private readonly CallHeaders _headers;
    private readonly Func<RpcChannelOptions> _options;
    private readonly CallRunner _runner;
    private readonly LinkState _link;
    private readonly Func<double> _random;
    private readonly string _endpoint;
    private readonly ILogger _logger;
    private readonly NearReads? _near;
    private readonly Lock _lock = new();
    private readonly List<(Call Call, long Version)> _parked = [];
    private readonly HashSet<PipelineStream> _streams = [];
    private readonly CancellationTokenSource _closing = new();
    private TaskCompletionSource<Failure?> _outcome = NewOutcome();

    // The streams that accept new calls. Changed under the lock, read without it.
    private PipelineStream[] _open = [];

    public PipelineTransport(
        Configuration configuration,
        UnaryTransport unary,
        CallHeaders headers,
        Func<RpcChannelOptions> options,
        CallRunner runner,
        Func<double> random,
        string endpoint,
        ILogger logger,
        int gateways = 1)
    {
        _configuration = configuration;
        _unary = unary;
        _headers = headers;
        _options = options;
        _runner = runner;
        _link = new LinkState(runner.Clock, RetryPolicy.ForConnecting(configuration));
        _random = random;
        _endpoint = endpoint;
        _logger = logger;
        _near = runner.Near;
        _plan = StreamPlan.Of(configuration.PipelineConnections, Environment.ProcessorCount, gateways);
        _planning = new Ticker(DedicatedTime.For(runner.Clock.Provider), Plan, StreamPlan.Interval);
        _mayHaveSeveral = _plan.Most > 1;
    }

    /// <summary>Gets whether the transport has found that the server does not support the pipeline.</summary>
    public bool IsUnary => _link.Phase == LinkPhase.Unary;

    public bool IsPipelined => !IsUnary;

    public bool IsReady => IsUnary ? _unary.IsReady : Volatile.Read(ref _open).Length > 0;

    public int InFlight
    {
        get
        {
            int calls = _parked.Count + _unary.InFlight;
            foreach (PipelineStream stream in Volatile.Read(ref _open))
            {
                calls += stream.Load;
            }

            if (_leaving.Count > 0)
            {
                lock (_lock)
                {
                    calls += _leaving.Sum(static stream => stream.Load);
                }
            }

            return calls;
        }
    }

    /// <summary>Gets the unary transport. Control calls and large values use it. If the server does not support the pipeline, all calls use it.</summary>
    public UnaryTransport Unary => _unary;

    public Clock Clock => _runner.Clock;

    public int Connections
    {
        get
        {
            lock (_lock)
            {
                return _streams.Count + _unary.Connections;
            }
        }
    }

    public string State
    {
        get
        {
            lock (_lock)
            {
                return IsUnary ? _unary.State : _open switch
                {
                    [] => _link.Describe(),
                    [PipelineStream stream] => $"connected ({stream.Outstanding} calls on the stream)",
                    PipelineStream[] several => $"connected ({several.Sum(static stream => stream.Outstanding)} calls on {several.Length} streams)",
                };
            }
        }
    }

    public void Start(Call call, long version) => Send(call, version, isCallersThread: true);

    public void Resume(Call call, long version) => Send(call, version, isCallersThread: false);

    public bool TrySend(Call call, long version, bool isCallersThread)
    {
        if (!IsUnary && call.Operation.PipelineField != 0 && !IsLarge(call))
        {
            return TrySendPipelined(call, version);
        }

        SendUnary(call, version, isCallersThread);
        return true;
    }

    public void Abandon(Call call, long version)
    {
        if (call.Route is PipelineStream stream)
        {
            stream.Abandon(call, version);
        }
        else
        {
            _unary.Abandon(call, version);
        }
    }

    public async ValueTask ConnectAsync(CancellationToken cancellationToken)
    {
        Task<Failure?> outcome;
        lock (_lock)
        {
            if (_open.Length > 0 || IsUnary)
            {
                return;
            }

            EnsureConnecting("", TimeSpan.Zero);
            outcome = _outcome.Task;
        }

        if (await outcome.WaitAsync(cancellationToken).On(PoolQueue.Work) is { } failure)
        {
            throw new RpcException(new Status(failure.Code, failure.Message));
        }
    }

    public void RepeatAsUnary(Call call, long version) => _unary.Resume(call, version);

    public bool OnRetired(PipelineStream stream, string reason)
    {
        Log.StreamRetired(_logger, _endpoint, reason);
        return Forget(stream);
    }

    public bool OnEnded(PipelineStream stream, int calls, string reason, bool isRefused)
    {
        if (calls > 0)
        {
            Log.StreamBroken(_logger, _endpoint, calls, reason);
        }

        bool hasOthers = Forget(stream, reopens: !isRefused);
        PipelineStream[] others;
        lock (_lock)
        {
            _streams.Remove(stream);
            _leaving.Remove(stream);
            others = _open;
        }

        // If the server's machine was lost, the other connections are lost too, but that may not have been noticed yet.
        foreach (PipelineStream other in others)
        {
            other.CheckConnectionHealth();
        }

        return hasOthers;
    }

    public async ValueTask DisposeAsync()
    {
        Cancellation.Cancel(_closing);
        _planning.Dispose();
        PipelineStream[] streams;
        List<(Call Call, long Version)> parked;
        Failure closed;
        lock (_lock)
        {
            streams = [.. _streams];
            parked = TakeParked();
            _open = [];
            _link.Close();
            closed = _link.RefusalOf(Clock.Now)!.Value;
        }

        FailAll(parked, closed);
        await Task.WhenAll(streams.Select(stream => stream.EndAsync(closed))).On(PoolQueue.Work);
        await _unary.DisposeAsync().On(PoolQueue.Work);
    }

    private void Send(Call call, long version, bool isCallersThread)
    {
        if (IsUnary || call.Operation.PipelineField == 0 || IsLarge(call))
        {
            SendUnary(call, version, isCallersThread);
            return;
        }

        if (!TrySendPipelined(call, version))
        {
            Park(call, version, isCallersThread);
        }
    }

    private void SendUnary(Call call, long version, bool isCallersThread)
    {
        if (isCallersThread)
        {
            _unary.Start(call, version);
        }
        else
        {
            _unary.Resume(call, version);
        }
    }

    // Returns whether a call must be unary because of its size. The limit applies to the whole encoded request (PIPE-10).
    private static bool IsLarge(Call call) => call.Measure() > PipelineLimits.RequestBytes;

    private void Park(Call call, long version, bool isCallersThread)
    {
        lock (_lock)
        {
            if (_open.Length == 0 && !IsUnary)
            {
                call.Route = null;
                bool isHopeless = _link.RefusalOf(Clock.Now) is not null;
                if (!isHopeless)
                {
                    call.Attempts++;
                    _parked.Add((call, version));
                    EnsureConnecting(call.Cache, TimeSpan.Zero);
                }

                call.Leave(version, CallPhase.Sent);
                if (isHopeless)
                {
                    FailSoon(call, version);
                }

                return;
            }
        }

        // A stream may have been opened or retired in the meantime, so try again.
        if (IsUnary)
        {
            SendUnary(call, version, isCallersThread);
        }
        else if (!TrySendPipelined(call, version))
        {
            call.Leave(version, CallPhase.Sent);
            FailSoon(call, version);
        }
    }

    // Fails the call on another thread. When a call ends, it passes its permit to the next call. If the next call failed on the same thread, the recursion
    // could overflow the stack.
    private void FailSoon(Call call, long version) => PoolQueue.Work.Add(
        static failing => failing.Call.Fail(failing.Version, failing.Transport.NotConnected()),
        (Transport: this, Call: call, Version: version));

    public Failure? Refusal
    {
        get
        {
            if (IsUnary)
            {
                return _unary.Refusal;
            }

            lock (_lock)
            {
                return _open.Length == 0 && _link.Failures > 0 ? _link.NotConnected(Clock.Now) : null;
            }
        }
    }

    private Failure NotConnected()
    {
        lock (_lock)
        {
            return _link.RefusalOf(Clock.Now) ?? _link.NotConnected(Clock.Now);
        }
    }

    // The caller must hold the lock.
    private List<(Call Call, long Version)> TakeParked()
    {
        List<(Call Call, long Version)> taken = [.. _parked];
        _parked.Clear();
        return taken;
    }

    private static void FailAll(List<(Call Call, long Version)> calls, in Failure failure)
    {
        foreach ((Call call, long version) in calls)
        {
            call.Fail(version, failure);
        }
    }
}
