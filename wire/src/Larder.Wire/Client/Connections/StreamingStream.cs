using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// A call whose answer, and perhaps request, is a stream of bytes: one writer and one reader at a time, which may be different threads. It serves one call.
/// What arrived and was not read waits here; the stream's window bounds it.
/// </summary>
[SuppressMessage("Reliability", "CA1001", Justification = "What arrived may be read after the stream has ended; Release gives it back.")]
internal sealed class StreamingStream : Http2Stream, IThreadPoolWorkItem
{
    private const int FirstBytes = 4 * 1024;

    private static readonly Status s_ended = new(StatusCode.Unavailable, "The stream has ended.");

    private readonly Lock _lock = new();
    private readonly PooledBuffer _received = new(FirstBytes);
    private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly StreamWaiter<int> _reading = new();
    private readonly StreamWaiter<bool> _writing = new();
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

    /// <summary>Completes when the answer's headers are there, or the stream has ended.</summary>
    public Task Opened => _opened.Task;

    /// <summary>Hands all that arrives to <paramref name="receiver"/> from now on, and what has arrived at once. Nobody reads it otherwise.</summary>
    public void Receive(IDuplexReceiver receiver)
    {
        bool hasEnded;
        CompletionBatch callers = Connection!.RentBatch();
        lock (_lock)
        {
            _receiver = receiver;
            receiver.OnBytes(_received.WrittenSpan[_consumed..], callers);
            receiver.OnReadEnd(callers);
            GiveCredit(_received.Written - _consumed);
            _received.Reset(FirstBytes);
            _consumed = 0;
            hasEnded = _hasEnded;
        }

        callers.RunOnPool();
        if (hasEnded)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    /// <summary>One read of the connection is over. On the reader.</summary>
    public void OnReadEnd(CompletionBatch batch)
    {
        _wasRead = false;
        lock (_lock)
        {
            _receiver?.OnReadEnd(batch);
        }
    }

    /// <summary>Tells the receiver that the stream has ended.</summary>
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

    /// <summary>Reads what has arrived, at least one byte; 0 when the server has ended the stream with OK.</summary>
    /// <exception cref="RpcException">It ended otherwise.</exception>
    /// <exception cref="OperationCanceledException">It, or this read, was given up.</exception>
    public ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        int read;
        lock (_lock)
        {
            read = Take(buffer.Span);
            if (read == 0 && !_hasEnded && buffer.Length > 0)
            {
                _target = buffer;
                ValueTask<int> reading = _reading.Arm(this);
                _reading.Obey(cancellationToken);
                return reading;
            }
        }

        if (read == 0 && buffer.Length > 0)
        {
            ThrowUnlessOk();
        }

        return new ValueTask<int>(read);
    }

    /// <summary>Writes bytes; they must stay as they are until this completes. They travel with <see cref="Flush"/> or when enough are gathered.</summary>
    /// <exception cref="RpcException">The stream has ended.</exception>
    /// <exception cref="OperationCanceledException">It, or this write, was given up.</exception>
    public ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        if (bytes.IsEmpty)
        {
            return default;
        }

        ValueTask<bool> written = _writing.Arm(this);
        bool isOpen = Connection!.TrySend(this, _version, bytes, out bool isSent);
        if ((isOpen && !isSent) || !_writing.TryWithdraw())
        {
            // On its way; or the stream's end is telling the waiter just now.
            _writing.Obey(cancellationToken);
            return ResultAsync(written);
        }

        return isOpen ? default : ValueTask.FromException(EndForWriter());
    }

    /// <summary>Gives the stream up if it has not ended, and its buffer back: nothing is read any more.</summary>
    public void Release()
    {
        // Who reads for the connection does not touch a stream that has ended.
        Cancel();
        lock (_lock)
        {
            _consumed = 0;
            _received.Dispose();
        }
    }

    /// <summary>Lets what was written travel now.</summary>
    public void Flush() => Connection!.Flush();

    /// <summary>Ends the request. Not while a write is under way.</summary>
    public void CompleteWriting()
    {
        if (!EndsAfterOutgoing)
        {
            EndsAfterOutgoing = true;
            Connection!.TrySend(this, _version, default, out _);
            Connection.Flush();
        }
    }

    /// <summary>Gives up the read or write that waits, for its token was cancelled.</summary>
    public void GiveUp(object waiter)
    {
        if (ReferenceEquals(waiter, _writing))
        {
            Connection!.TryUnsend(this);
        }

        lock (_lock)
        {
            _target = ReferenceEquals(waiter, _reading) ? default : _target;
        }
    }

    /// <summary>Throws where the stream, now open, has failed already: it ended, or its headers say so.</summary>
    /// <exception cref="RpcException">It has.</exception>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
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
            GiveCredit(taken);
            _reading.SetResult(taken);
            batch.Add(_reading);
        }

        return null;
    }

    // Under the lock, on the reader.
    private void Push(IDuplexReceiver receiver, ReadOnlySpan<byte> data, CompletionBatch batch)
    {
        receiver.OnBytes(data, batch);
        GiveCredit(data.Length);
        if (!_wasRead)
        {
            _wasRead = true;
            Connection!.NoteRead(this);
        }
    }

    public override void OnSent(CompletionBatch batch)
    {
        if (_writing.TryWithdraw())
        {
            _writing.SetResult(true);
            batch.Add(_writing);
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
            SetEnd(_reading, atEnd: 0);
            batch.Add(_reading);
        }

        if (_writing.TryWithdraw())
        {
            _writing.SetException(EndForWriter());
            batch.Add(_writing);
        }

        _opened.TrySetResult();
    }

    private void SetEnd(StreamWaiter<int> waiter, int atEnd)
    {
        try
        {
            ThrowUnlessOk();
            waiter.SetResult(atEnd);
        }
        catch (Exception error) when (error is RpcException or OperationCanceledException)
        {
            waiter.SetException(error);
        }
    }

    // Under the lock.
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
            GiveCredit(length);
        }

        return length;
    }

    private void GiveCredit(int bytes)
    {
        int credit = TakeCredit(bytes);
        if (credit > 0)
        {
            Connection!.GiveCredit(Id, credit);
        }
    }

    // What its reader is told; where that is OK, the writer was cut short all the same.
    private Exception EndForWriter()
    {
        try
        {
            ThrowUnlessOk();
        }
        catch (Exception error) when (error is RpcException or OperationCanceledException)
        {
            return error;
        }

        return new RpcException(s_ended);
    }

    private Exception EndWithoutAnswer() => Outcome switch
    {
        StreamOutcome.Failed => Failure!,
        StreamOutcome.Cancelled or StreamOutcome.Expired => new OperationCanceledException("The call was given up."),
        _ => new RpcException(s_ended),
    };

    private static async ValueTask ResultAsync(ValueTask<bool> written) => await written.ConfigureAwait(false);
}
