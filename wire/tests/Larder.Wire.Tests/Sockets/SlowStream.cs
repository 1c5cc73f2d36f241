namespace Larder.Wire.Tests.Sockets;

/// <summary>A stream that writes one byte at a time. If <see cref="ChangesLast"/> is true, the last byte of each write is changed.</summary>
internal sealed class SlowStream(Stream inner) : Stream
{
    public bool ChangesLast { get; set; }

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => inner.ReadAsync(buffer, cancellationToken);

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        byte[] bytes = buffer.ToArray();
        bytes[^1] ^= ChangesLast ? (byte)1 : (byte)0;
        for (int index = 0; index < bytes.Length; index++)
        {
            await inner.WriteAsync(bytes.AsMemory(index, 1), cancellationToken);
        }
    }

    public override void Flush() => inner.Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
        }

        base.Dispose(disposing);
    }
}
