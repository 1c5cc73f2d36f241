using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <content>
/// Contains the code that reads from the connection. It handles all frames of one read, then starts the next read, and then resumes the callers. If no further
/// data has arrived, the callers run on this thread, because the pending read needs no thread. Otherwise they run on a pool thread. So a caller's code never
/// stops the connection from reading, and never occupies a reactor's thread for long. See <see cref="CompletionBatch"/>.
/// </content>
internal sealed partial class Http2Connection
{
    private readonly Action _onReadable;
    private readonly HpackDecoder _decoder;
    private byte[] _read = ReadBuffers.Rent();
    private ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter _readAwaiter;
    private CompletionBatch? _batch;
    private readonly List<StreamingStream> _readStreams = [];
    private Http2Stream? _held;
    private int _readLength;
    private int _ended;
    private long _heardAt;
    private long _busyTicks;

    // The id of the thread that handles the frames of a read, or 0 if there is no such thread. If this thread wakes the writer, the writer runs after all
    // frames have been handled.
    private int _reader;
    private bool _sendsAfterRead;

    /// <summary>
    /// Gets the total time for which a thread has handled this connection's responses, including the callers that were resumed on that thread.
    /// </summary>
    public TimeSpan BusyTime => _time.GetElapsedTime(0, Volatile.Read(ref _busyTicks));

    /// <summary>Sets the receiver of the connection's duplex call. See <see cref="CompletionBatch.CurrentReceiver"/>.</summary>
    public IDuplexReceiver Receiver
    {
        set => _batches.Receiver = value;
    }

    /// <summary>Registers a stream for a notification when this read ends. Called by the reader.</summary>
    public void NoteRead(StreamingStream stream) => _readStreams.Add(stream);

    /// <summary>Returns a batch of this connection, which the caller must run.</summary>
    public CompletionBatch RentBatch() => _batches.Rent();

    private void StartReading()
    {
        try
        {
            if (!BeginRead(out _))
            {
                OnReadable();
            }
        }
        catch (Exception error) when (IsTransport(error))
        {
            Fail(error);
            EndReading();
        }
    }

    // Returns true if the read is pending and OnReadable will be called. The caller must then run the batch.
    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is kept and asked once, by OnReadable.")]
    private bool BeginRead(out CompletionBatch? batch)
    {
        batch = null;
        ConfiguredValueTaskAwaitable<int>.ConfiguredValueTaskAwaiter awaiter = _transport
            .ReceiveAsync(_read.AsMemory(_readLength))
            .ConfigureAwait(false)
            .GetAwaiter();
        _readAwaiter = awaiter;
        if (awaiter.IsCompleted)
        {
            return false;
        }

        // From here on, another thread may read from the connection.
        batch = _batch;
        _batch = null;
        awaiter.UnsafeOnCompleted(_onReadable);
        return true;
    }

    private void OnReadable()
    {
        long since = 0;
        HandleReads(ref since);
        CountBusy(since, _time.GetTimestamp());
    }

    // The addition is atomic because, if a caller blocks this thread, another thread handles the next reads at the same time.
    private void CountBusy(long since, long now)
    {
        if (since != 0)
        {
            Interlocked.Add(ref _busyTicks, now - since);
        }
    }

    private void HandleReads(ref long since)
    {
        CompletionBatch? batch;
        try
        {
            do
            {
                int read = _readAwaiter.GetResult();
                if (read == 0)
                {
                    Fail(new IOException("The server closed the connection."));
                    EndReading();
                    return;
                }

                // While data keeps arriving, this loop does not end, so the time is counted at each read.
                long now = _time.GetTimestamp();
                Volatile.Write(ref _heardAt, now);
                CountBusy(since, now);
                since = now;
                _readLength += read;
                HandleRead();
            }
            while (!BeginRead(out batch) && HandOver());
        }
        catch (Exception error) when (error is Http2ConnectionException || IsTransport(error))
        {
            ReleaseHeld();
            Fail(error);
            EndReading();
            return;
        }

        if (ReactorThread.Current is null || _batches.MayRunHere())
        {
            batch?.RunHere();
        }
        else
        {
            batch?.RunOnPool();
        }
    }

    // More data has already arrived. So this thread continues to read, and another thread resumes the callers.
    private bool HandOver()
    {
        _batch?.RunOnPool();
        _batch = null;
        return true;
    }

    private void EndReading()
    {
        HandOver();
        ReadBuffers.Return(_read);
        _read = [];
    }

    private void HandleRead()
    {
        Volatile.Write(ref _reader, Environment.CurrentManagedThreadId);
        CompletionBatches.Reading = _batches;
        try
        {
            ReadFrames();
            FinishRead();
        }
        finally
        {
            Volatile.Write(ref _reader, 0);
            CompletionBatches.Reading = null;
            if (_sendsAfterRead)
            {
                _sendsAfterRead = false;
                SendAfterRead();
            }
        }
    }

    // Requests are sent immediately. If there are only window updates, they are sent together with the next requests of the resumed callers or of another
    // sender.
    private void SendAfterRead()
    {
        bool waits;
        lock (_lock)
        {
            waits = _sendingQueue.Count == 0 && _batch is { } batch && batch.TryTake(_pump.Later);
            if (waits)
            {
                _pump.Rest();
            }
        }

        if (!waits)
        {
            _pump.Run();
        }
    }

    private void ReadFrames()
    {
        ReadOnlySpan<byte> rest = _read.AsSpan(0, _readLength);
        if (!_frames.HasSettings && PlaintextResponse.ProblemOf(rest) is { } problem)
        {
            throw new ProtocolMismatchException(problem);
        }

        while (_frames.Take(rest) is var taken and > 0)
        {
            rest = rest[taken..];
        }

        rest.CopyTo(_read);
        _readLength = rest.Length;
        ReleaseHeld();
    }

    // Finishes a read. Takes the lock once for all streams that ended during the read.
    private void FinishRead()
    {
        if (_readStreams.Count > 0)
        {
            foreach (StreamingStream stream in _readStreams)
            {
                stream.OnReadEnd(_batch ??= _batches.Rent());
            }

            _readStreams.Clear();
        }

        if (_ended == 0 && _state != State.Draining)
        {
            return;
        }

        bool wakes;
        bool isOver;
        List<(Http2Stream Stream, long Version)>? stranded = null;
        lock (_lock)
        {
            _active -= _ended;
            _batch?.Split(_active);
            _ended = 0;
            AdmitWaiting();
            if (_state == State.Draining && _waiting.Count > 0)
            {
                stranded = [.. _waiting.All().Select(static stream => (stream, stream.Snapshot().Version))];
            }

            wakes = !Gathered.IsEmpty && _pump.TryWake();
            isOver = _state == State.Draining && _active == 0;
        }

        WakeIf(wakes);

        if (stranded is not null)
        {
            EndAll(stranded, static _ => new RpcException(new Status(StatusCode.Unavailable, "The connection does not accept new calls."), notProcessed: true));
        }

        if (isOver)
        {
            Fail(new IOException("The draining connection was closed after its last call ended."));
        }
    }

    // Acquires the stream for the reader, and keeps it over consecutive frames of the same stream, because a response has three consecutive frames. Returns
    // null if the stream has ended.
    private Http2Stream? Hold(int id)
    {
        if (_held is { } held)
        {
            if (held.Id == id)
            {
                return held;
            }

            ReleaseHeld();
        }

        Http2Stream? stream = _streams.At(id);
        if (stream is not null && stream.TryHold(this, id))
        {
            _held = stream;
            return stream;
        }

        return _streams.IsIdle(id) ? throw Http2ConnectionException.Protocol($"a frame arrived on stream {id}, which was never opened") : null;
    }

    private void ReleaseHeld()
    {
        if (_held is { } held)
        {
            _held = null;
            held.Publish(StreamPhase.Open);
        }
    }

    // Ends the stream that the reader holds, because of a frame that the server sent.
    private void EndHeld(Http2Stream stream, StreamOutcome outcome, RpcException? failure = null, Http2ErrorCode? reset = null)
    {
        _held = null;
        _streams.Remove(stream.Id);
        _ended++;
        stream.SetOutcome(outcome, failure);
        stream.Publish(StreamPhase.Ended);
        // The method Signal sets the flag first and then reads the phase. Here the order is reversed, so at least one of the two methods sees the change of the
        // other.
        Interlocked.MemoryBarrier();
        if (reset is not null || stream.HasOutgoing)
        {
            AbandonRequest(stream, reset);
        }

        stream.OnEnded(_batch ??= _batches.Rent());
    }

    // The rest of the request is not sent, and its buffer must no longer be read.
    private void AbandonRequest(Http2Stream stream, Http2ErrorCode? reset)
    {
        bool wakes;
        lock (_lock)
        {
            stream.Queue?.Remove(stream);
            bool wasCutOff = stream.HasOutgoing;
            stream.HasOutgoing = false;
            stream.Outgoing = default;
            if (reset is not null || wasCutOff)
            {
                Gathered.AddReset(stream.Id, reset ?? Http2ErrorCode.NoError);
            }

            wakes = _pump.TryWake();
        }

        WakeIf(wakes);
    }
}
