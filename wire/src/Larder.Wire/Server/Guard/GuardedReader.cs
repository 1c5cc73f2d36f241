using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Larder.Wire;

/// <summary>A connection's input with every byte shown once to a scanner before the host sees it. Nothing is copied.</summary>
/// <param name="inner">The input.</param>
/// <param name="scanner">Sees the bytes.</param>
/// <param name="refuse">Ends the connection, with what was wrong.</param>
internal sealed class GuardedReader(PipeReader inner, FrameScanner scanner, Action<string> refuse) : PipeReader
{
    private ReadOnlySequence<byte> _buffer;

    // Bytes at the start of the buffer that the scanner has seen and the host has not consumed.
    private long _seen;

    public override bool TryRead(out ReadResult result)
    {
        if (!inner.TryRead(out result))
        {
            return false;
        }

        Show(result);
        return true;
    }

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        ValueTask<ReadResult> read = inner.ReadAsync(cancellationToken);
        return read.IsCompletedSuccessfully ? new ValueTask<ReadResult>(Show(read.Result)) : ShowLaterAsync(read);
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        _seen -= _buffer.Slice(_buffer.Start, consumed).Length;
        _buffer = default;
        inner.AdvanceTo(consumed, examined);
    }

    public override void CancelPendingRead() => inner.CancelPendingRead();

    public override void Complete(Exception? exception = null) => inner.Complete(exception);

    public override ValueTask CompleteAsync(Exception? exception = null) => inner.CompleteAsync(exception);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReadResult> ShowLaterAsync(ValueTask<ReadResult> read) => Show(await read.ConfigureAwait(false));

    private ReadResult Show(ReadResult result)
    {
        _buffer = result.Buffer;
        long length = _buffer.Length;
        if (length > _seen && scanner.Scan(_buffer.Slice(_seen)) is { } wrong)
        {
            refuse(wrong);
        }

        _seen = length;
        return result;
    }
}
