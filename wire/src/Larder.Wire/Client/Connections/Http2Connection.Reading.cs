using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Larder.Wire.Http2;
using Larder.Wire.Http2.Hpack;
using Larder.Wire.Sockets;

namespace Larder.Wire;

/// <content>
/// Reading. All frames of one read are handled here, then the next read is begun, and only then are the callers woken: on this very thread where nothing has
/// arrived meanwhile, since the next read goes on without it, and on another of the pool otherwise. No caller's code ever keeps the connection from reading, or
/// a reactor's thread for long: see <see cref="CompletionBatch"/>.
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

    // The thread that handles a read's frames; 0 while none does. What it woke the writer for is sent once it has.
    private int _reader;
    private bool _sendsAfterRead;

    /// <summary>Has a stream told of this read's end. On the reader.</summary>
    public void NoteRead(StreamingStream stream) => _readStreams.Add(stream);

    /// <summary>A batch of this connection's, which its taker runs.</summary>
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

    // True where the read is under way, and OnReadable will be called; the batch is then the caller's to run.
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

        // From here on another thread may be reading.
        batch = _batch;
        _batch = null;
        awaiter.UnsafeOnCompleted(_onReadable);
        return true;
    }

    private void OnReadable()
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

                Volatile.Write(ref _heardAt, _time.GetTimestamp());
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

    // More has arrived already: this thread goes on reading, and another wakes the callers.
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
        try
        {
            ReadFrames();
            FinishRead();
        }
        finally
        {
            Volatile.Write(ref _reader, 0);
            if (_sendsAfterRead)
            {
                _sendsAfterRead = false;
                SendAfterRead();
            }
        }
    }

    // Requests leave at once. Credit alone waits for what the answered callers ask for next, or for whoever else sends before they have been woken.
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
        if (!_frames.HasSettings && ForeignAnswer.ProblemOf(rest) is { } problem)
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

    // The lock, once for all the answers of a read.
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
            EndAll(stranded, static _ => new RpcException(new Status(StatusCode.Unavailable, "The connection takes no more calls."), notProcessed: true));
        }

        if (isOver)
        {
            Fail(new IOException("The connection was drained."));
        }
    }

    // Takes the stream for the reader, which keeps it from one frame to the next of the same stream: an answer is three frames in a row. Null where it has
    // ended.
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

        return _streams.IsIdle(id) ? throw Http2ConnectionException.Protocol($"a frame of stream {id}, which was never opened") : null;
    }

    private void ReleaseHeld()
    {
        if (_held is { } held)
        {
            _held = null;
            held.Publish(StreamPhase.Open);
        }
    }

    // Ends the held stream by what the server sent.
    private void EndHeld(Http2Stream stream, StreamOutcome outcome, RpcException? failure = null, Http2ErrorCode? reset = null)
    {
        _held = null;
        _streams.Remove(stream.Id);
        _ended++;
        stream.SetOutcome(outcome, failure);
        stream.Publish(StreamPhase.Ended);
        // See Signal: it sets the flag first and looks at the phase then.
        Interlocked.MemoryBarrier();
        if (reset is not null || stream.HasOutgoing)
        {
            AbandonRequest(stream, reset);
        }

        stream.OnEnded(_batch ??= _batches.Rent());
    }

    // What is left of the request is not sent: the buffers may not be filled from it any more.
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
