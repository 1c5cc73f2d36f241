using Larder.Wire.Http2;

namespace Larder.Wire;

/// <content>Contains the code that ends a connection. A connection is drained after GOAWAY, declared dead, closed by its owner, or it fails.</content>
internal sealed partial class Http2Connection
{
    private static readonly TimeSpan FinalReadTimeout = TimeSpan.FromMilliseconds(20);

    private readonly KeepAlive _keepAlive;
    private readonly ITimer _keepAliveTimer;
    private readonly Lock _keepAliveLock = new();
    private int _isSuspect;
    private Action<Http2Connection>? _closed;
    private uint _goAwayCode;

    private static ReadOnlySpan<byte> PingPayload => "larder.."u8;

    /// <summary>Registers a callback for the end of the connection. It is called immediately if the connection has already ended.</summary>
    public void OnClosed(Action<Http2Connection> closed)
    {
        lock (_lock)
        {
            if (_state != State.Closed)
            {
                _closed = closed;
                return;
            }
        }

        closed(this);
    }

    /// <summary>Closes the connection. Active calls fail.</summary>
    public void Close() => Fail(new ObjectDisposedException(nameof(RpcChannel)));

    /// <summary>
    /// Records that a call ended without a response. If the connection has received nothing for the ping timeout, it is pinged now, even if keepalive is off.
    /// If it receives nothing for another ping timeout, it is closed.
    /// </summary>
    public void Doubt()
    {
        if (_time.GetElapsedTime(Volatile.Read(ref _heardAt)) < _options.KeepAlivePingTimeout || Interlocked.Exchange(ref _isSuspect, 1) != 0)
        {
            return;
        }

        lock (_lock)
        {
            if (_state != State.Closed)
            {
                _keepAliveTimer.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan);
            }
        }
    }

    private void StartKeepAlive()
    {
        if (_keepAlive.IsOn)
        {
            OnKeepAlive();
        }
    }

    private void OnKeepAlive()
    {
        KeepAlive.Verdict verdict;
        bool hasCalls = Active > 0;
        // The method Doubt may set the timer concurrently. The lock ensures that the method that decides last is also the last to set the timer.
        lock (_keepAliveLock)
        {
            bool isDoubted = Interlocked.Exchange(ref _isSuspect, 0) != 0;
            TimeSpan now = _time.GetElapsedTime(_startedAt);
            TimeSpan heardAt = _time.GetElapsedTime(_startedAt, Volatile.Read(ref _heardAt));
            verdict = _keepAlive.Decide(now, heardAt, hasCalls, isDoubted, out TimeSpan next);
            lock (_lock)
            {
                if (_state != State.Closed && verdict != KeepAlive.Verdict.GiveUp)
                {
                    _keepAliveTimer.Change(Volatile.Read(ref _isSuspect) != 0 ? TimeSpan.Zero : next, Timeout.InfiniteTimeSpan);
                }
            }
        }

        if (verdict == KeepAlive.Verdict.GiveUp)
        {
            Fail(new IOException($"The server did not respond to a ping within {_options.KeepAlivePingTimeout.TotalSeconds} s."));
        }
        else if (verdict == KeepAlive.Verdict.Ping)
        {
            SendPing(PingPayload, isAnswer: false);
        }
    }

    // RFC 9113, section 6.8: the server has not processed streams above the last stream named in GOAWAY, and will not process them.
    void IFrameOwner.OnGoAway(int lastStreamId, uint code)
    {
        ReleaseHeld();
        List<(Http2Stream Stream, long Version)> refused = [];
        lock (_lock)
        {
            _state = _state == State.Open ? State.Draining : _state;
            _goAwayCode = code;
            refused.AddRange(
                _streams.All().Where(stream => stream.Id > lastStreamId).Concat(_waiting.All()).Select(static stream => (stream, stream.Snapshot().Version)));
        }

        RpcException failure = new(
            new Status(StatusCode.Unavailable, "The server is shutting down and did not start the call."),
            notProcessed: true,
            Http2ErrorText.ConnectionClosed(code));
        EndAll(refused, _ => failure);
    }

    // Ends the connection and all its calls. Further calls of this method do nothing.
    private void Fail(Exception error)
    {
        List<(Http2Stream Stream, long Version)> streams;
        Action<Http2Connection>? closed;
        long unsent;
        lock (_lock)
        {
            if (_state == State.Closed)
            {
                return;
            }

            _state = State.Closed;
            closed = _closed;
            unsent = _pump.Taken;
            _pump.Dispose();
            streams = [.. _streams.All().Concat(_waiting.All()).Select(static stream => (stream, stream.Snapshot().Version))];
        }

        _keepAliveTimer.Dispose();
        _batches.Dispose();
        _deadlines.Dispose();
        _sending.Dispose();
        RpcException failure = FailureFor(error);
        RpcException unsentFailure = new(failure.Status, notProcessed: true, failure.InnerException);
        // The frames in the buffer that is being filled, and the waiting calls, were never passed to the socket.
        EndAll(streams, stream => stream.Queue != _waiting && stream.BufferNumber < unsent ? failure : unsentFailure);
        _ready.TrySetException(unsentFailure);
        // The exception is observed here because the caller may not be waiting for the settings.
        _ = _ready.Task.Exception;
        CloseTransport(error as Http2ConnectionException);
        closed?.Invoke(this);
    }

    private void EndAll(List<(Http2Stream Stream, long Version)> streams, Func<Http2Stream, RpcException> failure)
    {
        if (streams.Count == 0)
        {
            return;
        }

        CompletionBatch batch = _batches.Rent();
        foreach ((Http2Stream stream, long version) in streams)
        {
            EndInto(batch, stream, version, StreamOutcome.Failed, failure(stream));
        }

        batch.RunOnPool();
    }

    private RpcException FailureFor(Exception error) => error switch
    {
        Http2ConnectionException broken => TransportFailure.From(Http2ErrorText.InvalidData(broken)),
        _ when _goAwayCode != 0 => TransportFailure.From(Http2ErrorText.ConnectionClosed(_goAwayCode)),
        ObjectDisposedException when error.Message.Contains(nameof(RpcChannel), StringComparison.Ordinal) => new RpcException(
            new Status(StatusCode.Unavailable, "The channel is closed."), notProcessed: false, error),
        _ => TransportFailure.From(error),
    };

    // Closes the transport. If the server violated the protocol, first tries to send a GOAWAY.
    private void CloseTransport(Http2ConnectionException? broken)
    {
        try
        {
            // If the writer is running, it stops soon, because it writes nothing more after the connection has ended. This method does not wait for a server
            // that does not read.
            if (broken is not null && SpinWait.SpinUntil(() => !_pump.IsAwake, FinalReadTimeout))
            {
                using FrameBuffer last = new();
                last.AddGoAway(broken.Code);
                ValueTask write = _transport.SendAsync(last.Written);
                if (write.IsCompletedSuccessfully)
                {
                    write.GetAwaiter().GetResult();
                }
                else
                {
                    // The write is not awaited, because closing the transport ends it.
                    _ = write.AsTask().ContinueWith(static done => done.Exception, TaskScheduler.Default);
                }
            }
        }
        catch (Exception error) when (IsTransport(error))
        {
            // The transport is already closed.
        }

        _transport.Dispose();
    }

    private static bool IsTransport(Exception error) =>
        error is IOException or ObjectDisposedException or System.Net.Sockets.SocketException or OperationCanceledException;
}
