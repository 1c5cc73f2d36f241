using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Larder.Wire;

/// <summary>
/// A connection's output that notices a reader who takes nothing: a flush that waits longer than a grace ends the connection.
/// The host's own rule (bytes a second) lets a reader of large answers wait for hours.
/// </summary>
internal sealed class GuardedWriter : PipeWriter, IDisposable
{
    private readonly PipeWriter _inner;
    private readonly TimeSpan _grace;
    private readonly ITimer _timer;

    /// <param name="inner">The output.</param>
    /// <param name="time">The clock.</param>
    /// <param name="grace">The longest that a flush may wait.</param>
    /// <param name="refuse">Ends the connection, with what was wrong.</param>
    public GuardedWriter(PipeWriter inner, TimeProvider time, TimeSpan grace, Action<string> refuse)
    {
        _inner = inner;
        _grace = grace;
        _timer = time.CreateTimer(_ => refuse("The reader takes nothing."), state: null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public override bool CanGetUnflushedBytes => _inner.CanGetUnflushedBytes;

    public override long UnflushedBytes => _inner.UnflushedBytes;

    public override void Advance(int bytes) => _inner.Advance(bytes);

    public override Memory<byte> GetMemory(int sizeHint = 0) => _inner.GetMemory(sizeHint);

    public override Span<byte> GetSpan(int sizeHint = 0) => _inner.GetSpan(sizeHint);

    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default) => Watch(_inner.FlushAsync(cancellationToken));

    public override ValueTask<FlushResult> WriteAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default) => Watch(_inner.WriteAsync(source, cancellationToken));

    public override void CancelPendingFlush() => _inner.CancelPendingFlush();

    public override void Complete(Exception? exception = null) => _inner.Complete(exception);

    public override ValueTask CompleteAsync(Exception? exception = null) => _inner.CompleteAsync(exception);

    public void Dispose() => _timer.Dispose();

    private ValueTask<FlushResult> Watch(ValueTask<FlushResult> flush) => flush.IsCompleted ? flush : WatchAsync(flush);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<FlushResult> WatchAsync(ValueTask<FlushResult> flush)
    {
        _timer.Change(_grace, Timeout.InfiniteTimeSpan);
        try
        {
            return await flush.ConfigureAwait(false);
        }
        finally
        {
            _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }
    }
}
