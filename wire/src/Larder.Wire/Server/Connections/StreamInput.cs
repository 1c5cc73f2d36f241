using System.Buffers;
using System.IO.Pipelines;
using System.Threading.Tasks.Sources;

namespace Larder.Wire;

/// <summary>
/// The request data of a call, in one contiguous buffer. The connection adds data. A call with a single request message reads it from <see cref="Body"/> when
/// the request is complete. A bidirectional call reads the data as a pipe. The stream's window limits the size of the buffer, because the client may not send
/// more data until the reader consumes some.
/// </summary>
/// <remarks>
/// There are two buffers. The connection fills one buffer, and the reader reads the other one. The buffers are swapped when the reader has consumed its buffer.
/// So the reader's bytes never move while the reader uses them. <see cref="Wake"/> resumes a waiting reader on the connection's thread, once per receive.
/// </remarks>
internal sealed class StreamInput(RpcStream stream, BufferAccount account) : PipeReader, IValueTaskSource<ReadResult>, IDisposable
{
    private const int KeptBytes = 4 * 1024;
    private const int LongBytes = 64 * 1024;

    private readonly Lock _lock = new();
    private ManualResetValueTaskSourceCore<ReadResult> _source;
    private CancellationTokenRegistration _registration;
    private PooledBuffer _incoming = new(512, account);
    private PooledBuffer _reading = new(64, account);
    private ReadOnlySequence<byte> _shown;
    private int _consumed;
    private int _credited;
    private bool _isExamined;
    private bool _isWaiting;
    private bool _isEnded;
    private bool _isCancelPending;
    private Exception? _fault;

    /// <summary>
    /// Gets the bytes that have arrived but were not read. If nothing was read and <see cref="IsEnded"/> is true, they are the whole request.
    /// </summary>
    public ReadOnlySpan<byte> Arrived => _incoming.WrittenSpan;

    /// <summary>Gets the whole body of a request with a single message. Valid until the stream ends.</summary>
    public ReadOnlyMemory<byte> Body => _incoming.WrittenMemory;

    public bool IsEnded => Volatile.Read(ref _isEnded);

    /// <summary>Gets whether the request must be handled on a worker, because it is larger than 64 KB or compressed.</summary>
    public bool IsLong => _incoming.Written > LongBytes || (_incoming.Written > 0 && _incoming.WrittenSpan[0] != 0);

    /// <summary>Gets the number of bytes that have arrived but were not consumed.</summary>
    public int HeldBytes
    {
        get
        {
            lock (_lock)
            {
                return _incoming.Written + _reading.Written - _consumed;
            }
        }
    }

    /// <summary>Gets whether the reader has examined part of a message and waits for the rest.</summary>
    public bool HasUnfinished
    {
        get
        {
            lock (_lock)
            {
                return _isWaiting && _reading.Written > _consumed;
            }
        }
    }

    /// <summary>Gets whether no more data is accepted, because the reader has failed or will fail.</summary>
    public bool HasFailed => Volatile.Read(ref _fault) is not null;

    /// <summary>Adds received data without waking the reader.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: there is not enough memory.</exception>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        lock (_lock)
        {
            bytes.CopyTo(_incoming.GetSpan(bytes.Length));
            _incoming.Advance(bytes.Length);
        }
    }

    /// <summary>
    /// If the received part of the message is large, reserves memory for the whole message. So the message is not copied again, and a lack of memory is
    /// detected early.
    /// </summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: there is not enough memory.</exception>
    public void Expect()
    {
        const int largeBytes = 512 * 1024;
        lock (_lock)
        {
            if (_incoming.Written > largeBytes)
            {
                int more = FrameHeader.Size + (int)FrameHeader.Read(_incoming.WrittenSpan).Length - _incoming.Written;
                _incoming.GetSpan(Math.Max(more, 0));
            }
        }
    }

    /// <summary>Marks the input as complete.</summary>
    public void End()
    {
        lock (_lock)
        {
            _isEnded = true;
        }
    }

    /// <summary>Fails the reader, because the client has ended the call or the connection has ended.</summary>
    public void Fail(Exception fault)
    {
        lock (_lock)
        {
            _fault ??= fault;
        }

        Wake();
    }

    /// <summary>Resumes a waiting reader on this thread if there is something to read.</summary>
    public void Wake()
    {
        ReadResult result;
        Exception? fault;
        CancellationTokenRegistration registration;
        lock (_lock)
        {
            if (!_isWaiting || !TryTake(out result, out fault))
            {
                return;
            }

            _isWaiting = false;
            registration = _registration;
        }

        registration.Dispose();
        if (fault is null)
        {
            _source.SetResult(result);
        }
        else
        {
            _source.SetException(fault);
        }
    }

    public override bool TryRead(out ReadResult result)
    {
        lock (_lock)
        {
            if (!TryTake(out result, out Exception? fault))
            {
                return false;
            }

            return fault is null ? true : throw fault;
        }
    }

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<ReadResult>(cancellationToken);
        }

        short version;
        lock (_lock)
        {
            if (_isWaiting)
            {
                throw new InvalidOperationException("The previous read has not completed yet.");
            }

            if (TryTake(out ReadResult result, out Exception? fault))
            {
                return fault is null ? new ValueTask<ReadResult>(result) : ValueTask.FromException<ReadResult>(fault);
            }

            _source.Reset();
            _isWaiting = true;
            version = _source.Version;
        }

        if (cancellationToken.CanBeCanceled)
        {
            Keep(cancellationToken.UnsafeRegister(static (input, token) => ((StreamInput)input!).CancelRead(token), this), version);
        }

        return new ValueTask<ReadResult>(this, version);
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        int credit;
        lock (_lock)
        {
            int count = (int)_shown.Slice(_shown.Start, consumed).Length;
            int seen = (int)_shown.Slice(_shown.Start, examined).Length;
            _isExamined = seen == _shown.Length;
            _consumed += count;
            // A message may be larger than the window. So bytes are credited to the window when the reader has examined them, even if it waits for the rest of
            // the message before it consumes them. They are not credited again when they are consumed.
            credit = Math.Max(0, seen - _credited);
            _credited = Math.Max(_credited, seen) - count;
            _shown = default;
            if (_consumed == _reading.Written)
            {
                _reading.Reset(stream.KeptInputBytes);
                _consumed = 0;
            }
        }

        if (credit > 0)
        {
            stream.OnConsumed(credit);
        }
    }

    public override void CancelPendingRead()
    {
        lock (_lock)
        {
            _isCancelPending = true;
        }

        Wake();
    }

    public override void Complete(Exception? exception = null)
    {
    }

    /// <summary>Resets the input for the next stream.</summary>
    public void Reset()
    {
        _incoming.Reset(KeptBytes);
        _reading.Reset(KeptBytes);
        _shown = default;
        _consumed = 0;
        _credited = 0;
        _isExamined = false;
        _isEnded = false;
        _isCancelPending = false;
        _fault = null;
    }

    /// <summary>Releases the request's data after the call has ended.</summary>
    public void LetGo()
    {
        _incoming.Reset(KeptBytes);
        _reading.Reset(KeptBytes);
    }

    /// <summary>Shrinks the buffers if they are empty and the reader is waiting.</summary>
    public void Trim()
    {
        lock (_lock)
        {
            if (_isWaiting && _incoming.Written == 0 && _reading.Written == 0)
            {
                _incoming.Reset(PooledBuffer.UncountedBytes);
                _reading.Reset(PooledBuffer.UncountedBytes);
            }
        }
    }

    /// <summary>Releases the buffers permanently. The buffers must no longer be used.</summary>
    public void Abandon()
    {
        lock (_lock)
        {
            _incoming.Abandon();
            _reading.Abandon();
            _consumed = 0;
        }
    }

    public void Dispose()
    {
        _incoming.Dispose();
        _reading.Dispose();
    }

    ReadResult IValueTaskSource<ReadResult>.GetResult(short token) => _source.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<ReadResult>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<ReadResult>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    // Stores the cancellation registration of a read until the read ends. If the read has already ended, the registration must be disposed here.
    private void Keep(CancellationTokenRegistration registration, short version)
    {
        lock (_lock)
        {
            if (_isWaiting && _source.Version == version)
            {
                _registration = registration;
                return;
            }
        }

        registration.Dispose();
    }

    private void CancelRead(CancellationToken token)
    {
        lock (_lock)
        {
            if (!_isWaiting)
            {
                return;
            }

            _isWaiting = false;
        }

        _source.SetException(new OperationCanceledException(token));
    }

    // Takes the result of a read. Returns false if the reader must wait. The caller must hold the lock.
    private bool TryTake(out ReadResult result, out Exception? fault)
    {
        result = default;
        fault = _fault;
        if (fault is not null)
        {
            return true;
        }

        bool hasNew = _incoming.Written > 0;
        bool hasUnexamined = !_isExamined && _reading.Written > _consumed;
        if (!hasNew && !hasUnexamined && !_isEnded && !_isCancelPending)
        {
            return false;
        }

        if (hasNew && !TryMerge(out fault))
        {
            return true;
        }

        _shown = new ReadOnlySequence<byte>(_reading.WrittenMemory[_consumed..]);
        result = new ReadResult(_shown, _isCancelPending, _isEnded);
        _isCancelPending = false;
        return true;
    }

    private bool TryMerge(out Exception? fault)
    {
        try
        {
            Merge();
            fault = null;
        }
        catch (RpcException exhausted)
        {
            fault = _fault = exhausted;
        }

        return fault is null;
    }

    // The remaining bytes of the reader precede the new bytes. If there are no remaining bytes, the buffers are swapped and nothing is copied.
    private void Merge()
    {
        if (_consumed == _reading.Written)
        {
            _reading.Reset(stream.KeptInputBytes);
            (_reading, _incoming) = (_incoming, _reading);
        }
        else
        {
            _reading.RemoveFirst(_consumed);
            ReadOnlySpan<byte> added = _incoming.WrittenSpan;
            added.CopyTo(_reading.GetSpan(added.Length));
            _reading.Advance(added.Length);
            _incoming.Reset(stream.KeptInputBytes);
        }

        _consumed = 0;
    }
}
