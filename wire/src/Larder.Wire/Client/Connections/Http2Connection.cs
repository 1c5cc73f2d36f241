using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;
using Larder.Wire.Sockets;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// The client's side of an HTTP/2 connection: RFC 9113 over one transport.
/// <para>
/// Design. The caller takes the lock once per call. Under the lock, the call gets an id, and its headers and data are appended to the outgoing buffer. If the
/// <see cref="OutputPump"/> is asleep, the caller wakes it. The reader (Http2Connection.Reading.cs) handles all frames of one socket read, starts the next
/// read, and then resumes the callers whose calls have completed. The reader takes the lock once per read, not once per response.
/// </para>
/// </summary>
[SuppressMessage(
    "Reliability",
    "CA1001",
    Justification = "It ends by Fail, from any side; buffers that the transport may still look at are left to the collector.")]
internal sealed partial class Http2Connection
{
    private enum State
    {
        Open,

        // The server sent GOAWAY, or the stream ids are exhausted. Active calls still complete.
        Draining,
        Closed,
    }

    private readonly RpcChannelOptions _options;
    private readonly IByteTransport _transport;
    private readonly TimeProvider _time;
    private readonly long _startedAt;
    private readonly Lock _lock = new();
    private readonly StreamTable _streams = new();
    private readonly StreamQueue _waiting = new();
    private readonly StreamQueue _sendingQueue = new();
    private readonly HeaderBlocks _blocks;
    private readonly CompletionBatches _batches;
    private readonly Ticker _deadlines;
    private readonly TaskCompletionSource _ready = new();
    private volatile State _state;
    private int _active;
    private int _maxStreams = Http2Limits.MaxStreams;

    private Http2Connection(IByteTransport transport, RpcChannelOptions options)
    {
        _transport = transport;
        _pump = new OutputPump(transport, _lock, this, KeptBytes);
        _options = options;
        _time = options.TimeProvider;
        _startedAt = _heardAt = _time.GetTimestamp();
        _blocks = new HeaderBlocks(new RequestFields(options.Endpoint, options.AcceptGzip));
        _frames = new FrameInput(this);
        _decoder = new HpackDecoder(HpackEncoder.DefaultTableSize, Http2Limits.HeaderBytes);
        _batches = new CompletionBatches(_time);
        _deadlines = new Ticker(_time, ExpireDue);
        _sending = new Ticker(_time, HelpPump);
        _keepAlive = new KeepAlive(options.KeepAlivePingDelay, options.KeepAlivePingTimeout, options.KeepAliveWithoutCalls);
        _keepAliveTimer = _time.CreateTimer(static state => ((Http2Connection)state!).OnKeepAlive(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _onReadable = OnReadable;
    }

    /// <summary>Gets whether the connection accepts new calls.</summary>
    public bool IsOpen => _state == State.Open;

    /// <summary>Gets the maximum number of concurrent streams.</summary>
    public int StreamLimit => Volatile.Read(ref _maxStreams);

    /// <summary>Gets the number of active calls.</summary>
    public int Active
    {
        get
        {
            lock (_lock)
            {
                return _active;
            }
        }
    }

    /// <summary>Gets the number of calls that are waiting for a stream.</summary>
    public int Waiting
    {
        get
        {
            lock (_lock)
            {
                return _waiting.Count;
            }
        }
    }

    /// <summary>Opens a connection over <paramref name="transport"/>, which the connection owns from now on.</summary>
    public static Http2Connection Start(IByteTransport transport, RpcChannelOptions options)
    {
        // The loops and timers outlive the call that starts them, so they must not capture the execution context of that call.
        using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
        Http2Connection connection = new(transport, options);
        connection.StartWriting();
        connection.StartReading();
        connection.StartKeepAlive();
        return connection;
    }

    /// <summary>
    /// Waits for the server's settings, which are its first frame. They prove that the server speaks HTTP/2, and they state how many streams the server allows.
    /// </summary>
    /// <exception cref="RpcException">The connection ended before the settings arrived.</exception>
    public async Task ReadyAsync(CancellationToken cancellationToken) => await _ready.Task.WaitAsync(cancellationToken).On(PoolQueue.Work);

    /// <summary>
    /// Starts a call on the connection or queues it. The caller must hold the stream (<see cref="StreamPhase.Held"/>). This method publishes the stream.
    /// Returns false if the connection accepts no more calls.
    /// </summary>
    public bool TryStart(Http2Stream stream)
    {
        bool wakes = false;
        bool isRefused = false;
        lock (_lock)
        {
            if (_state != State.Open)
            {
                return false;
            }

            stream.Connection = this;
            if (_waiting.Count == 0 && HasPlace)
            {
                Open(stream);
                wakes = _pump.TryWake();
            }
            else if (_waiting.Count < Http2Limits.MaxWaiting)
            {
                _waiting.Add(stream);
                stream.Publish(StreamPhase.Waiting);
            }
            else
            {
                stream.Publish(StreamPhase.Waiting);
                isRefused = true;
            }
        }

        if (stream.DeadlineAt != 0)
        {
            _deadlines.Wake();
        }

        WakeIf(wakes);
        if (isRefused)
        {
            EndWith(stream, stream.Snapshot().Version, StreamOutcome.Failed, QueueIsFull());
        }

        return true;
    }

    /// <summary>Ends a stream because its caller cancelled it or its deadline passed. Does nothing if the given use of the stream has already ended.</summary>
    public void End(Http2Stream stream, long version, StreamOutcome outcome)
    {
        bool wasOpen = stream.Snapshot() == (version, StreamPhase.Open);
        EndWith(stream, version, outcome, failure: null);
        if (wasOpen)
        {
            Doubt();
        }
    }

    // True if another stream can be opened now. The caller must hold the lock.
    private bool HasPlace => _active < _maxStreams && Gathered.Length < Http2Limits.PendingBytes && _state == State.Open;

    // Opens a stream and publishes it. The caller must hold the lock and the stream.
    private void Open(Http2Stream stream)
    {
        stream.Id = _streams.TakeId();
        stream.SendWindow = _initialSendWindow;
        stream.Receiving.Open(_options.StreamWindowBytes);
        stream.BufferNumber = _pump.Taken;
        bool endsWithHeaders = stream.EndsAfterOutgoing && stream.Outgoing.IsEmpty;
        _blocks.Send(stream, endsWithHeaders, Gathered, _maxFrameBytes);
        if (!stream.Outgoing.IsEmpty)
        {
            stream.HasOutgoing = true;
            SendFrame(stream);
        }

        _streams.Add(stream);
        _active++;
        if (_streams.IsSpent)
        {
            _state = State.Draining;
        }

        stream.Publish(StreamPhase.Open);
    }

    // Starts waiting calls if there are free streams. The caller must hold the lock.
    private void AdmitWaiting()
    {
        while (_waiting.Count > 0 && HasPlace)
        {
            Http2Stream stream = _waiting.TakeFirst();
            if (stream.TryHoldWaiting())
            {
                if (stream.DeadlineAt != 0)
                {
                    stream.Timeout = RpcTimeout.Format(_time.GetElapsedTime(_time.GetTimestamp(), stream.DeadlineAt));
                }

                Open(stream);
            }
        }
    }

    private void EndWith(Http2Stream stream, long version, StreamOutcome outcome, RpcException? failure)
    {
        CompletionBatch batch = _batches.Rent();
        EndInto(batch, stream, version, outcome, failure);
        batch.RunOnPool();
    }

    // Ends a stream from this side, unless the given use of the stream has already ended. The batch resumes the caller of the stream.
    private void EndInto(CompletionBatch batch, Http2Stream stream, long version, StreamOutcome outcome, RpcException? failure)
    {
        StreamPhase phase = stream.TryEnd(version);
        if (phase == StreamPhase.Idle)
        {
            return;
        }

        bool wakes;
        bool isOver;
        lock (_lock)
        {
            RemoveStream(stream, phase);
            wakes = !Gathered.IsEmpty && _pump.TryWake();
            isOver = _state == State.Draining && _active == 0;
        }

        stream.SetOutcome(outcome, failure);
        stream.OnEnded(batch);
        WakeIf(wakes);

        if (isOver)
        {
            Fail(new IOException("The draining connection was closed after its last call ended."));
        }
    }

    // Removes a stream that has ended. Afterwards, the connection neither reads nor writes the stream. The caller must hold the lock.
    private void RemoveStream(Http2Stream stream, StreamPhase endedFrom)
    {
        stream.Queue?.Remove(stream);
        stream.HasOutgoing = false;
        stream.Outgoing = default;
        if (endedFrom == StreamPhase.Open && _state != State.Closed)
        {
            _streams.Remove(stream.Id);
            _active--;
            Gathered.AddReset(stream.Id, Http2ErrorCode.Cancel);
            AdmitWaiting();
        }
    }

    // Ends the calls whose deadlines have passed. Returns true if any of the remaining calls has a deadline.
    private bool ExpireDue()
    {
        long now = _time.GetTimestamp();
        List<(Http2Stream Stream, long Version)>? due = null;
        bool others = false;
        lock (_lock)
        {
            foreach (Http2Stream stream in _streams.All().Concat(_waiting.All()))
            {
                (long version, StreamPhase phase) = stream.Snapshot();
                if (stream.DeadlineAt != 0 && phase != StreamPhase.Ended)
                {
                    bool isDue = stream.DeadlineAt <= now;
                    others |= !isDue;
                    if (isDue)
                    {
                        (due ??= []).Add((stream, version));
                    }
                }
            }
        }

        foreach ((Http2Stream stream, long version) in due ?? [])
        {
            End(stream, version, StreamOutcome.Expired);
        }

        return others;
    }

    private static RpcException QueueIsFull() => new(
        new Status(
            StatusCode.ResourceExhausted,
            $"The channel's queue is full: {Http2Limits.MaxWaiting} calls wait for a free stream. Start fewer concurrent calls."),
        notProcessed: true);
}
