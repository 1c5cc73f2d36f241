namespace Larder.Store.Snapshots;

/// <summary>Reads a snapshot block by block, each only when its checksum holds and it is the one that comes next.</summary>
internal sealed class SnapshotBlockReader
{
    private readonly Stream _stream;
    private byte[] _buffer = GC.AllocateUninitializedArray<byte>(SnapshotBlockHeader.Bytes + SnapshotFormat.BlockBytes);
    private SnapshotBlockHeader _block;
    private long _blocks;

    /// <summary>Begins at the start of a stream that can seek.</summary>
    /// <exception cref="SnapshotException">It does not begin as a snapshot does.</exception>
    public SnapshotBlockReader(Stream stream)
    {
        _stream = stream;
        Span<byte> start = _buffer.AsSpan(0, SnapshotHeader.Bytes + SnapshotBlockHeader.Bytes);
        stream.Position = 0;
        Header = SnapshotHeader.Read(start[..stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false)]);
        stream.Position = SnapshotHeader.Bytes;
    }

    public SnapshotHeader Header { get; }

    /// <summary>What the present block holds.</summary>
    public SnapshotBlockKind Kind => _block.Kind;

    /// <summary>Records in the present block.</summary>
    public int Records => _block.Records;

    /// <summary>The present block's payload, as long as it is the present one.</summary>
    public ReadOnlySpan<byte> Payload => _buffer.AsSpan(SnapshotBlockHeader.Bytes, _block.PayloadBytes);

    /// <summary>Goes on to the next block.</summary>
    /// <exception cref="SnapshotException">The file ends, or the block is not whole, or not the one that comes next.</exception>
    public void Next()
    {
        if (!TryFill(0, SnapshotBlockHeader.Bytes))
        {
            throw new SnapshotException(SnapshotFault.Damaged, $"it ends after {_stream.Length} bytes, without its end mark");
        }

        _block = SnapshotBlockHeader.Read(_buffer);
        bool expected = _block.FileId == Header.Id && _block.Number == _blocks && _block.Records > 0
            && _block.PayloadBytes is > 0 and <= SnapshotFormat.MaxPayloadBytes;
        if (!expected)
        {
            throw new SnapshotException(SnapshotFault.Damaged, $"block {_blocks} of it is damaged");
        }

        if (SnapshotBlockHeader.Bytes + _block.PayloadBytes > _buffer.Length)
        {
            Array.Resize(ref _buffer, SnapshotBlockHeader.Bytes + _block.PayloadBytes);
        }

        if (!TryFill(SnapshotBlockHeader.Bytes, _block.PayloadBytes) || !_block.Holds(_buffer))
        {
            throw new SnapshotException(SnapshotFault.Damaged, $"block {_blocks} of it is damaged or cut short");
        }

        _blocks++;
    }

    /// <summary>Whether the stream has nothing left.</summary>
    public bool IsAtEnd => _stream.Position == _stream.Length;

    private bool TryFill(int at, int bytes) => _stream.ReadAtLeast(_buffer.AsSpan(at, bytes), bytes, throwOnEndOfStream: false) == bytes;
}
