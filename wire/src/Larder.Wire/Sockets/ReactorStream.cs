namespace Larder.Wire.Sockets;

/// <summary>
/// A <see cref="ReactorSocket"/> as the stream that a client's connection is made over. Asynchronous alone; a read or a write under way is given up by closing
/// it.
/// </summary>
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

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => socket.ReceiveAsync(buffer);

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

    public override void Flush()
    {
        // Nothing is kept back.
    }

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
}
