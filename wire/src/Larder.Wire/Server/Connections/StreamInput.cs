using System.Buffers;
using System.IO.Pipelines;
using System.Threading.Tasks.Sources;

namespace Larder.Wire;

/// <summary>
/// What a call's peer sends, in one piece. The connection adds to it; the call reads it, by <see cref="Body"/> once all is there, or as a pipe.
/// Its bound is the stream's window: the peer may send no more than that before the reader consumes.
/// </summary>
/// <remarks>
/// Two buffers: one that the connection fills and one that the reader holds, swapped when the reader has used its own up. So the reader's bytes
/// never move under it. A waiting reader is woken by <see cref="Wake"/>, on the connection's own thread, once per receive.
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

    /// <summary>Bytes that have arrived and were not read: the whole request once <see cref="IsEnded"/>.</summary>
    public ReadOnlySpan<byte> Arrived => _incoming.WrittenSpan;

    /// <summary>The whole body of a request that takes one message. Valid until the stream ends.</summary>
    public ReadOnlyMemory<byte> Body => _incoming.WrittenMemory;

    public bool IsEnded => Volatile.Read(ref _isEnded);

    /// <summary>Whether a whole request is long work: it is over 64 KB, or compressed.</summary>
    public bool IsLong => _incoming.Written > LongBytes || (_incoming.Written > 0 && _incoming.WrittenSpan[0] != 0);

    /// <summary>Bytes that arrived and were not consumed.</summary>
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

    /// <summary>True where the reader has seen the beginning of something and waits for its end.</summary>
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

    /// <summary>True once nothing more is taken in: the reader has failed, or will.</summary>
    public bool HasFailed => Volatile.Read(ref _fault) is not null;

    /// <summary>Adds what arrived; the reader is not woken yet.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: there is no memory for it.</exception>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        lock (_lock)
        {
            bytes.CopyTo(_incoming.GetSpan(bytes.Length));
            _incoming.Advance(bytes.Length);
        }
    }

    /// <summary>
    /// Makes room for the whole of a message that has begun to be large, once: it is neither copied again while it arrives nor refused near its end.
    /// </summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: there is no memory for it.</exception>
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

    /// <summary>Nothing more will arrive.</summary>
    public void End()
    {
        lock (_lock)
        {
            _isEnded = true;
        }
    }

    /// <summary>The peer or the connection is gone: a reader fails.</summary>
    public void Fail(Exception fault)
    {
        lock (_lock)
        {
            _fault ??= fault;
        }

        Wake();
    }

    /// <summary>Lets a waiting reader go on where there is something for it. It runs on this thread.</summary>
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
                throw new InvalidOperationException("A read is waiting already.");
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
            // A message may be larger than the window: what its reader has seen of it and waits to be whole is given back like what it has consumed, once.
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

    /// <summary>Makes the input fit for the next stream.</summary>
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

    /// <summary>The call is over: what it asked is not looked at any more.</summary>
    public void LetGo()
    {
        _incoming.Reset(KeptBytes);
        _reading.Reset(KeptBytes);
    }

    /// <summary>Makes the buffers small where nothing is in them and the reader looks at nothing.</summary>
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

    /// <summary>Lets go of the buffers for good: nobody looks at them any more.</summary>
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

    // The read may have ended meanwhile: nobody else would let the registration go.
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

    // Under the lock.
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

    // The reader's rest comes first: with none, the two buffers change places and nothing is copied.
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
