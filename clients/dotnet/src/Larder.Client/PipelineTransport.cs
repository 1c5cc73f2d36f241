using Larder.Client.Calls;
using Larder.Client.Pipeline;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>
/// Many calls in each message of one long-lived stream (spec/pipeline.md). Keeps one stream open for new calls, and replaces it when it breaks, drains or
/// runs out of ids; calls made meanwhile are parked until the next stream is open or could not be opened. Control calls and large values go to the unary
/// transport beside it, as does everything where <see cref="Transport.Auto"/> meets a server without the pipeline.
/// </summary>
internal sealed class PipelineTransport : ITransport, IPipelineHost
{
    // A stream that lived less than this is counted as a failed attempt: a server that accepts and drops is not hammered.
    private static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(1);

    private readonly Configuration _configuration;
    private readonly UnaryTransport _unary;
    private readonly CallHeaders _headers;
    private readonly RpcChannelOptions _options;
    private readonly CallExecutor _executor;
    private readonly RetryPolicy _backOff;
    private readonly Func<double> _random;
    private readonly ILogger _logger;
    private readonly Lock _lock = new();
    private readonly List<(Call Call, long Version)> _parked = [];
    private readonly HashSet<PipelineStream> _streams = [];
    private readonly CancellationTokenSource _closing = new();
    private TaskCompletionSource<Failure?> _outcome = NewOutcome();
    private PipelineStream? _stream;
    private bool _isConnecting;
    private bool _isBackingOff;
    private int _failures;
    private int _shortLives;
    private long _openedAt;
    private long _failingSince;
    private Failure _lastFailure;

    public PipelineTransport(Configuration configuration, UnaryTransport unary, CallHeaders headers, RpcChannelOptions options, CallExecutor executor, Func<double> random, ILogger logger)
    {
        _configuration = configuration;
        _unary = unary;
        _headers = headers;
        _options = options;
        _executor = executor;
        _backOff = RetryPolicy.From(configuration);
        _random = random;
        _logger = logger;
    }

    /// <summary>True once the server turned out not to speak the pipeline.</summary>
    public bool IsUnary { get; private set; }

    public Clock Clock => _executor.Clock;

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
                return IsUnary ? _unary.State
                    : _stream is { } stream ? $"connected ({stream.Outstanding} calls on the stream)"
                    : _failures > 0 ? $"failed {_failures} times ({_lastFailure.Message})"
                    : _isConnecting ? "connecting" : "not connected";
            }
        }
    }

    public void Start(Call call, long version) => Send(call, version, isCallersThread: true);

    public void Resume(Call call, long version) => Send(call, version, isCallersThread: false);

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
            if (_stream is not null || IsUnary)
            {
                return;
            }

            EnsureConnecting("", TimeSpan.Zero);
            outcome = _outcome.Task;
        }

        if (await outcome.WaitAsync(cancellationToken).ConfigureAwait(false) is { } failure)
        {
            throw new RpcException(new Status(failure.Code, failure.Message));
        }
    }

    public void RepeatAsUnary(Call call, long version) => _unary.Resume(call, version);

    public void OnRetired(PipelineStream stream, string reason)
    {
        Log.StreamRetired(_logger, reason);
        Forget(stream);
    }

    public void OnEnded(PipelineStream stream, int calls, string reason)
    {
        if (calls > 0)
        {
            Log.StreamBroken(_logger, calls, reason);
        }

        Forget(stream);
        lock (_lock)
        {
            _streams.Remove(stream);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _closing.CancelAsync().ConfigureAwait(false);
        PipelineStream[] streams;
        List<(Call Call, long Version)> parked;
        lock (_lock)
        {
            streams = [.. _streams];
            parked = TakeParked();
            _stream = null;
        }

        Failure closed = new(StatusCode.Cancelled, "The client was closed.");
        FailAll(parked, closed);
        await Task.WhenAll(streams.Select(stream => stream.EndAsync(closed))).ConfigureAwait(false);
        await _unary.DisposeAsync().ConfigureAwait(false);
    }

    private void Send(Call call, long version, bool isCallersThread)
    {
        if (IsUnary || call.Operation.PipelineField == 0 || IsLarge(call))
        {
            SendUnary(call, version, isCallersThread);
            return;
        }

        PipelineStream? stream = Volatile.Read(ref _stream);
        if (stream is null || !stream.TrySend(call, version))
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

    // The value is what is left of a request without its key and the fields' tags and lengths.
    private static bool IsLarge(Call call)
    {
        const int overhead = 32;
        return call.Measure() - call.KeyLength - overhead > PipelineLimits.ValueBytes;
    }

    private void Park(Call call, long version, bool isCallersThread)
    {
        PipelineStream? stream;
        lock (_lock)
        {
            stream = _stream;
            if (stream is null && !IsUnary)
            {
                call.Route = null;
                bool isHopeless = _isBackingOff && Clock.Between(_failingSince, Clock.Now) > _configuration.RequestTimeout;
                if (!isHopeless && !_closing.IsCancellationRequested)
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

        // The stream was opened, or given up, just now.
        if (stream is null || !stream.TrySend(call, version))
        {
            if (IsUnary)
            {
                SendUnary(call, version, isCallersThread);
            }
            else
            {
                call.Leave(version, CallPhase.Sent);
                FailSoon(call, version);
            }
        }
    }

    // On another thread: a failure gives the permit to the next call, which would fail within this one.
    private void FailSoon(Call call, long version) => ThreadPool.UnsafeQueueUserWorkItem(
        static failing => failing.Call.Fail(failing.Version, failing.Transport.NotConnected()),
        (Transport: this, Call: call, Version: version),
        preferLocal: false);

    private Failure NotConnected()
    {
        lock (_lock)
        {
            bool isHopeless = _failures > 0 && Clock.Between(_failingSince, Clock.Now) > _configuration.RequestTimeout;
            return Failure.NotConnected($"No connection: {_lastFailure.Message ?? "the last stream was replaced"}", _lastFailure.Exception, isHopeless);
        }
    }

    private void Forget(PipelineStream stream)
    {
        lock (_lock)
        {
            if (_stream == stream)
            {
                _stream = null;
                _shortLives = Clock.Between(_openedAt, Clock.Now) < ShortLife ? _shortLives + 1 : 0;
                EnsureConnecting(stream.Cache, _shortLives == 0 ? TimeSpan.Zero : _backOff.BackOff(_shortLives, _random()));
            }
        }
    }

    // Under the lock.
    private void EnsureConnecting(string cache, TimeSpan wait)
    {
        if (!_isConnecting && !_closing.IsCancellationRequested)
        {
            _isConnecting = true;
            _ = ConnectAsync(cache, wait);
        }
    }

    private async Task ConnectAsync(string cache, TimeSpan firstWait)
    {
        // Off the caller's thread and out of its lock.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            if (firstWait > TimeSpan.Zero)
            {
                await Task.Delay(firstWait, Clock.Provider, _closing.Token).ConfigureAwait(false);
            }

            while (await OpenAsync(cache).ConfigureAwait(false) is { } failure && MayTryAgain(failure, out TimeSpan wait))
            {
                await Task.Delay(wait, Clock.Provider, _closing.Token).ConfigureAwait(false);
                lock (_lock)
                {
                    _isBackingOff = false;
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The client is closing.
        }
    }

    // Returns null once the stream is open, or where the server has none and calls are unary from now on.
    private async Task<Failure?> OpenAsync(string cache)
    {
        RpcChannel channel = new(_options);
        try
        {
            using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(_closing.Token);
            limit.CancelAfter(_configuration.ConnectTimeout);
            DuplexCall call = await channel.OpenDuplexAsync(PipelineLimits.Path, cache.Length > 0 ? _headers.For(cache) : _headers.Common, limit.Token).ConfigureAwait(false);
            int ids = PipelineLimits.IdsFor(_configuration.MaxInFlightPipelined);
            Publish(new PipelineStream(this, channel, call, cache, ids));
            return null;
        }
        catch (RpcException exception) when (exception.Status.Code == StatusCode.Unimplemented && _configuration.Transport == Transport.Auto)
        {
            await channel.DisposeAsync().ConfigureAwait(false);
            FallBack();
            return null;
        }
        catch (Exception exception) when (exception is RpcException or OperationCanceledException)
        {
            await channel.DisposeAsync().ConfigureAwait(false);
            _closing.Token.ThrowIfCancellationRequested();
            return exception is RpcException failed ? Failure.From(failed) : new Failure(StatusCode.Unavailable, "The stream was not opened in time.") { NotProcessed = true };
        }
    }

    private void Publish(PipelineStream stream)
    {
        List<(Call Call, long Version)> parked;
        lock (_lock)
        {
            _streams.Add(stream);
            Volatile.Write(ref _stream, stream);
            _isConnecting = false;
            _failures = 0;
            _openedAt = Clock.Now;
            parked = TakeParked();
            Announce(null);
        }

        Log.StreamOpened(_logger);
        stream.Run();
        foreach ((Call call, long version) in parked)
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
            IsUnary = true;
            _isConnecting = false;
            parked = TakeParked();
            Announce(null);
        }

        Log.FallingBackToUnary(_logger);
        foreach ((Call call, long version) in parked)
        {
            if (call.TryHold(version))
            {
                _unary.Resume(call, version);
            }
        }

        _executor.ChangeCap(_configuration.MaxInFlight);
    }

    // A server that answered, if only to refuse, is asked again by the next call; one that cannot be reached, after a wait.
    private bool MayTryAgain(in Failure failure, out TimeSpan wait)
    {
        List<(Call Call, long Version)> parked;
        bool isTransport = failure.NotProcessed || failure.Code == StatusCode.Unavailable;
        Failure forCalls;
        lock (_lock)
        {
            _failingSince = _failures == 0 ? Clock.Now : _failingSince;
            _failures++;
            _lastFailure = failure;
            wait = _backOff.BackOff(_failures, _random());
            _isBackingOff = isTransport;
            _isConnecting = isTransport;
            parked = TakeParked();
            bool isHopeless = Clock.Between(_failingSince, Clock.Now) > _configuration.RequestTimeout;
            forCalls = isTransport ? Failure.NotConnected($"No connection: {failure.Message}", failure.Exception, isHopeless) : failure;
            Announce(forCalls);
        }

        Log.ConnectFailed(_logger, failure.Message, wait.TotalMilliseconds);
        FailAll(parked, forCalls);
        return isTransport;
    }

    // Under the lock.
    private List<(Call Call, long Version)> TakeParked()
    {
        List<(Call Call, long Version)> taken = [.. _parked];
        _parked.Clear();
        return taken;
    }

    private void Announce(Failure? failure)
    {
        _outcome.TrySetResult(failure);
        _outcome = NewOutcome();
    }

    private static void FailAll(List<(Call Call, long Version)> calls, in Failure failure)
    {
        foreach ((Call call, long version) in calls)
        {
            call.Fail(version, failure);
        }
    }

    private static TaskCompletionSource<Failure?> NewOutcome() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
