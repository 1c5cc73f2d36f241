using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

/// <summary>
/// A call whose response, and optionally request, is a stream of bytes. It has one reader at a time and one source of outgoing data. The object is used for one
/// call only. Unread data is buffered here, limited by the stream's window.
/// </summary>
[SuppressMessage("Reliability", "CA1001", Justification = "What arrived may be read after the stream has ended; Release gives it back.")]
internal sealed class StreamingStream : Http2Stream, IThreadPoolWorkItem
{
    private const int FirstBytes = 4 * 1024;

    private static readonly Status s_ended = new(StatusCode.Unavailable, "The stream has ended.");

    private readonly Lock _lock = new();
    private readonly PooledBuffer _received = new(FirstBytes);
    private readonly TaskCompletionSource _opened = new();
    private readonly StreamWaiter _reading = new();
    private readonly long _version;
    private Memory<byte> _target;
    private IDuplexReceiver? _receiver;
    private int _consumed;
    private bool _hasEnded;
    private bool _wasRead;

    public StreamingStream(string path, RpcHeaders headers, string? timeout, ReadOnlyMemory<byte> request, bool endsRequest)
    {
        Path = path;
        Headers = headers;
        Timeout = timeout;
        Outgoing = request;
        EndsAfterOutgoing = endsRequest;
        BeginLife();
        _version = Snapshot().Version;
    }

    /// <summary>
    /// Gets a task that completes when the response headers have arrived or the stream has ended. It completes on the connection's reader thread. So the code
    /// that awaits it must continue on a queue.
    /// </summary>
    public Task Opened => _opened.Task;

    /// <summary>
    /// Passes all data to <paramref name="receiver"/>. Buffered data is passed now, and further data as it arrives. This method is used instead of
    /// <see cref="ReadAsync"/>.
    /// </summary>
    public void Receive(IDuplexReceiver receiver)
    {
        bool hasEnded;
        CompletionBatch? callers = null;
        lock (_lock)
        {
            _receiver = receiver;
            Connection!.Receiver = receiver;
            if (_received.Written > _consumed)
            {
                callers = Connection!.RentBatch();
                receiver.OnBytes(_received.WrittenSpan[_consumed..], callers);
                receiver.OnReadEnd(callers);
                GrantCredit(_received.Written - _consumed);
                _received.Reset(FirstBytes);
                _consumed = 0;
            }

            hasEnded = _hasEnded;
        }

        callers?.RunOnPool();
        if (hasEnded)
        {
            PoolQueue.Work.Add(this);
        }
    }

    /// <summary>Handles the end of one read of the connection. Called by the reader.</summary>
    public void OnReadEnd(CompletionBatch batch)
    {
        _wasRead = false;
        lock (_lock)
        {
            _receiver?.OnReadEnd(batch);
        }
    }

    /// <summary>Notifies the receiver that the stream has ended.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        Exception? error = null;
        try
        {
            ThrowUnlessOk();
        }
        catch (Exception ended) when (ended is RpcException or OperationCanceledException)
        {
            error = CallFailure.From(ended, hasExpired: false, CancellationToken.None);
        }

        _receiver!.OnEnded(error);
    }

    /// <summary>Reads at least one byte. Returns 0 if the server has ended the stream with OK.</summary>
    /// <exception cref="RpcException">The stream ended with another status.</exception>
    /// <exception cref="OperationCanceledException">The call was cancelled.</exception>
    public ValueTask<int> ReadAsync(Memory<byte> buffer)
    {
        int read;
        lock (_lock)
        {
            read = Take(buffer.Span);
            if (read == 0 && !_hasEnded && buffer.Length > 0)
            {
                _target = buffer;
                return _reading.Arm();
            }
        }

        if (read == 0 && buffer.Length > 0)
        {
            ThrowUnlessOk();
        }

        return new ValueTask<int>(read);
    }

    /// <summary>Cancels the stream if it has not ended, and releases its buffer. No reads are allowed afterwards.</summary>
    public void Release()
    {
        // After this cancellation, the connection's reader no longer accesses the stream.
        Cancel();
        lock (_lock)
        {
            _consumed = 0;
            _received.Dispose();
        }
    }

    /// <summary>Sets the source of the outgoing data.</summary>
    public void Send(IOutputSource source)
    {
        Source = source;
        Signal();
    }

    /// <summary>Signals that the source has data.</summary>
    public void Signal() => Connection!.Signal(this, _version);

    /// <summary>Ends the request once its source has no more data.</summary>
    public void CompleteWriting()
    {
        EndsAfterOutgoing = true;
        Signal();
    }

    /// <summary>Throws if the call was cancelled, has expired or has failed, or if the response headers contain an error.</summary>
    /// <exception cref="RpcException">The stream has failed.</exception>
    /// <exception cref="OperationCanceledException">The call was cancelled.</exception>
    public void ThrowIfFailed()
    {
        if (Outcome is not (StreamOutcome.None or StreamOutcome.Answered))
        {
            throw EndWithoutAnswer();
        }

        Head.CheckHeaders();
    }

    // Throws unless the server ended the stream with OK.
    private void ThrowUnlessOk()
    {
        if (Outcome != StreamOutcome.Answered)
        {
            throw EndWithoutAnswer();
        }

        Head.CheckHeaders();
        Head.CheckTrailers();
    }

    public override void OnHeaders(CompletionBatch batch)
    {
        if (Head.HasHeaders)
        {
            _opened.TrySetResult();
        }
    }

    public override RpcException? OnData(ReadOnlySpan<byte> data, CompletionBatch batch)
    {
        int taken = 0;
        lock (_lock)
        {
            if (_receiver is { } receiver)
            {
                Push(receiver, data, batch);
                return null;
            }

            if (!_target.IsEmpty && _reading.TryWithdraw())
            {
                taken = Math.Min(data.Length, _target.Length);
                data[..taken].CopyTo(_target.Span);
                _target = default;
            }

            data[taken..].CopyTo(_received.GetSpan(data.Length - taken));
            _received.Advance(data.Length - taken);
        }

        if (taken > 0)
        {
            GrantCredit(taken);
            _reading.SetResult(taken);
            batch.Add(_reading);
        }

        return null;
    }

    // Passes data to the receiver. Called by the reader, which must hold the lock.
    private void Push(IDuplexReceiver receiver, ReadOnlySpan<byte> data, CompletionBatch batch)
    {
        receiver.OnBytes(data, batch);
        GrantCredit(data.Length);
        if (!_wasRead)
        {
            _wasRead = true;
            Connection!.NoteRead(this);
        }
    }

    public override void OnEnded(CompletionBatch batch)
    {
        lock (_lock)
        {
            _hasEnded = true;
            _target = default;
            if (_receiver is not null)
            {
                batch.Add(this);
            }
        }

        if (_reading.TryWithdraw())
        {
            SetEnd();
            batch.Add(_reading);
        }

        _opened.TrySetResult();
    }

    private void SetEnd()
    {
        try
        {
            ThrowUnlessOk();
            _reading.SetResult(0);
        }
        catch (Exception error) when (error is RpcException or OperationCanceledException)
        {
            _reading.SetException(error);
        }
    }

    // Copies received data to the destination and returns the number of bytes. The caller must hold the lock.
    private int Take(Span<byte> destination)
    {
        ReadOnlySpan<byte> present = _received.WrittenSpan[_consumed..];
        int length = Math.Min(present.Length, destination.Length);
        if (length == 0)
        {
            return 0;
        }

        present[..length].CopyTo(destination);
        _consumed += length;
        if (_consumed == _received.Written)
        {
            _consumed = 0;
            _received.Reset(FirstBytes);
        }

        if (!_hasEnded)
        {
            GrantCredit(length);
        }

        return length;
    }

    private Exception EndWithoutAnswer() => Outcome switch
    {
        StreamOutcome.Failed => Failure!,
        StreamOutcome.Cancelled or StreamOutcome.Expired => new OperationCanceledException("The call was cancelled."),
        _ => new RpcException(s_ended),
    };
}
