using System.Runtime.CompilerServices;

namespace Larder.Wire.Sockets;

/// <summary>
/// Adapts a transport to <see cref="Stream"/>. Only asynchronous operations are supported; closing the stream cancels pending operations. A guard counts
/// incoming bytes before they are read. A send that had to wait completes under a lock (see <see cref="TlsTransport"/>).
/// </summary>
internal sealed class TransportStream(IByteTransport transport, TlsRecordGuard guard, Lock sending) : Stream
{
    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            guard.Check();
            ValueTask<int> receive = transport.ReceiveAsync(buffer);
            if (buffer.IsEmpty)
            {
                return receive;
            }

            if (!receive.IsCompletedSuccessfully)
            {
                return CountAsync(receive, buffer);
            }

            int count = receive.Result;
            guard.Arrived(buffer.Span[..count]);
            return new(count);
        }
        catch (TlsFloodException error)
        {
            return ValueTask.FromException<int>(error);
        }
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        guard.Sent();
        try
        {
            ValueTask send = transport.SendAsync(buffer);
            return send.IsCompleted ? send : new ValueTask(CompleteUnderLock(send.AsTask()));
        }
        catch (IOException error)
        {
            return ValueTask.FromException(error);
        }
    }

    public override void Flush()
    {
        // Nothing is buffered.
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            transport.Dispose();
        }

        base.Dispose(disposing);
    }

    private Task CompleteUnderLock(Task send)
    {
        TaskCompletionSource sent = new();
        send.ContinueWith(
            done =>
            {
                lock (sending)
                {
                    sent.SetFromTask(done);
                }
            },
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        return sent.Task;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> CountAsync(ValueTask<int> receive, Memory<byte> buffer)
    {
        int count = await receive.ConfigureAwait(false);
        guard.Arrived(buffer.Span[..count]);
        return count;
    }
}
