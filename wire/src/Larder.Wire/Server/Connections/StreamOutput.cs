using System.IO.Pipelines;
using System.Threading.Tasks.Sources;

namespace Larder.Wire;

/// <summary>
/// The response data of a call, buffered until a flush or the end of the call. The connection then frames the data as far as the client's windows allow.
/// Nothing may be written while a flush is waiting.
/// </summary>
internal sealed class StreamOutput(RpcStream stream, BufferAccount account) : PipeWriter, IGatheringWriter, IValueTaskSource<FlushResult>, IDisposable
{
    private const int KeptBytes = 16 * 1024;

    // The size of the smallest buffer. The memory that is counted for a stream includes it (RpcStream.HeldBytes).
    private const int SmallestBytes = 512;

    private readonly PooledBuffer _buffer = new(SmallestBytes, account);
    private ManualResetValueTaskSourceCore<FlushResult> _source;
    private CancellationTokenRegistration _registration;
    private int _framed;

    public override bool CanGetUnflushedBytes => true;

    public override long UnflushedBytes => _buffer.Written - _framed;

    /// <summary>Gets the bytes that are not yet framed. Guarded by the connection's lock. Valid only for a stream that is flushing or has ended.</summary>
    public ReadOnlySpan<byte> Unframed => _buffer.WrittenSpan[_framed..];

    /// <summary>Gets whether a flush is waiting. Changed under the connection's lock.</summary>
    public bool IsFlushing { get; private set; }

    public int Position => _buffer.Written;

    public Span<byte> At(int position, int count) => _buffer.At(position, count);

    public override void Advance(int bytes) => _buffer.Advance(bytes);

    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        ThrowIfNotNow(sizeHint);
        return _buffer.GetMemory(sizeHint);
    }

    public override Span<byte> GetSpan(int sizeHint = 0)
    {
        ThrowIfNotNow(sizeHint);
        return _buffer.GetSpan(sizeHint);
    }

    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfFlushing();
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<FlushResult>(cancellationToken);
        }

        if (stream.TryFlush())
        {
            return new ValueTask<FlushResult>(new FlushResult(isCanceled: false, isCompleted: stream.IsAborted));
        }

        short version = _source.Version;
        if (cancellationToken.CanBeCanceled)
        {
            _registration = cancellationToken.UnsafeRegister(static (output, _) => ((StreamOutput)output!).Stop(), this);
        }

        return new ValueTask<FlushResult>(this, version);
    }

    public override void CancelPendingFlush() => Stop();

    public override void Complete(Exception? exception = null)
    {
    }

    /// <summary>Records that bytes have been framed. The caller must hold the connection's lock.</summary>
    public void Framed(int count)
    {
        _framed += count;
        if (_framed == _buffer.Written)
        {
            _framed = 0;
            _buffer.Reset(KeptBytes);
        }
    }

    /// <summary>Releases unused memory while the written data waits for the client. The caller must hold the connection's lock.</summary>
    public void ReleaseCapacity() => _buffer.ShrinkToFit();

    /// <summary>Begins a flush that must wait. The caller must hold the connection's lock.</summary>
    public void BeginFlush()
    {
        _source.Reset();
        IsFlushing = true;
    }

    /// <summary>Ends a waiting flush; its writer continues on the thread pool. The caller must hold the connection's lock.</summary>
    public void EndFlush(bool isCompleted)
    {
        if (!IsFlushing)
        {
            return;
        }

        IsFlushing = false;
        _source.RunContinuationsAsynchronously = true;
        _source.SetResult(new FlushResult(isCanceled: false, isCompleted));
    }

    /// <summary>Resets the output for the next stream.</summary>
    public void Reset()
    {
        _framed = 0;
        _buffer.Reset(KeptBytes);
    }

    /// <summary>Discards unsent data and releases the buffer. The caller must hold the connection's lock.</summary>
    public void Abandon()
    {
        _framed = 0;
        _buffer.Abandon();
    }

    public void Dispose() => _buffer.Dispose();

    FlushResult IValueTaskSource<FlushResult>.GetResult(short token)
    {
        _registration.Dispose();
        return _source.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource<FlushResult>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<FlushResult>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    // Ends the flush, because the token of the flush was cancelled. The writer continues, and finds that its call is cancelled.
    private void Stop() => stream.StopFlush();

    private void ThrowIfNotNow(int sizeHint)
    {
        ThrowIfFlushing();
        if (sizeHint > RpcConnection.LargeAnswerBytes && stream.MustWait(sizeHint))
        {
            ReleaseWhileWaiting();
            throw new BackpressureException();
        }
    }

    // Releases memory before the call waits. A handler that tries smaller responses first has allocated memory for them. Hundreds of waiting calls must not
    // keep such memory.
    private void ReleaseWhileWaiting()
    {
        if (_buffer.Written == 0)
        {
            _buffer.Reset(SmallestBytes);
        }
    }

    private void ThrowIfFlushing()
    {
        if (IsFlushing)
        {
            throw new InvalidOperationException("Writing is not allowed while a flush is pending.");
        }
    }
}
