namespace Larder.Wire.Sockets;

/// <summary>A <see cref="ReactorSocket"/> as a stream: what a client's connection, and TLS, are made over. Asynchronous alone.</summary>
internal sealed class ReactorStream(ReactorSocket socket) : Stream
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

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        cancellationToken.CanBeCanceled ? ReadUntilAsync(buffer, cancellationToken) : socket.ReceiveAsync(buffer);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            return socket.SendAsync(buffer);
        }
        catch (IOException error)
        {
            return ValueTask.FromException(error);
        }
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
        // Nothing is kept back.
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
            socket.Close();
        }

        base.Dispose(disposing);
    }

    // A handshake that is given up ends its connection.
    private async ValueTask<int> ReadUntilAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(static state => ((ReactorSocket)state!).Close(), socket);
        try
        {
            return await socket.ReceiveAsync(buffer).ConfigureAwait(false);
        }
        catch (Exception error) when (error is IOException or ObjectDisposedException && cancellationToken.IsCancellationRequested)
        {
            throw new OperationCanceledException(error.Message, error, cancellationToken);
        }
    }
}
