namespace Larder.Client.Tests.Cli;

/// <summary>Returns the same bytes repeatedly, and limits the number of bytes per read.</summary>
internal sealed class RepeatedStream(byte[] bytes, long times, int mostAtOnce = int.MaxValue) : Stream
{
    private long _at;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => bytes.Length * times;

    public override long Position
    {
        get => _at;
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        int begin = (int)(_at % bytes.Length);
        int count = (int)Math.Min(Math.Min(Math.Min(bytes.Length - begin, buffer.Length), mostAtOnce), Length - _at);
        bytes.AsSpan(begin, count).CopyTo(buffer);
        _at += count;
        return count;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
