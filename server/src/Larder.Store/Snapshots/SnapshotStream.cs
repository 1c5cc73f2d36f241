namespace Larder.Store.Snapshots;

/// <summary>
/// A file that is written sequentially and flushed to disk every 32 MiB. Without these flushes, the last flush, or a flush by another writer, would have to
/// write all the data. Reports the number of bytes written.
/// </summary>
internal sealed class SnapshotStream(FileStream file, Action<long> written) : Stream
{
    private const long BytesPerSync = 32L << 20;
    private long _bytes;
    private long _synced;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => _bytes;

    public override long Position
    {
        get => _bytes;
        set => throw new NotSupportedException();
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        file.Write(buffer);
        _bytes += buffer.Length;
        written(buffer.Length);
        if (_bytes - _synced >= BytesPerSync)
        {
            Flush();
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush()
    {
        file.Flush(flushToDisk: true);
        _synced = _bytes;
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
