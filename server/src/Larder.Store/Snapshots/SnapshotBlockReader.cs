namespace Larder.Store.Snapshots;

/// <summary>Reads a snapshot block by block. A block is returned only if its checksum is correct and it is the expected block of the file.</summary>
internal sealed class SnapshotBlockReader
{
    private readonly Stream _stream;
    private byte[] _buffer = GC.AllocateUninitializedArray<byte>(SnapshotBlockHeader.Bytes + SnapshotFormat.BlockBytes);
    private SnapshotBlockHeader _block;
    private long _blocks;

    /// <summary>Creates a reader at the beginning of a seekable stream.</summary>
    /// <exception cref="SnapshotException">The stream does not begin with a valid snapshot header.</exception>
    public SnapshotBlockReader(Stream stream)
    {
        _stream = stream;
        Span<byte> start = _buffer.AsSpan(0, SnapshotHeader.Bytes + SnapshotBlockHeader.Bytes);
        stream.Position = 0;
        Header = SnapshotHeader.Read(start[..stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false)]);
        stream.Position = SnapshotHeader.Bytes;
    }

    public SnapshotHeader Header { get; }

    /// <summary>The kind of the current block.</summary>
    public SnapshotBlockKind Kind => _block.Kind;

    /// <summary>The number of records in the current block.</summary>
    public int Records => _block.Records;

    /// <summary>The payload of the current block. It is valid until the next call of <see cref="Next"/>.</summary>
    public ReadOnlySpan<byte> Payload => _buffer.AsSpan(SnapshotBlockHeader.Bytes, _block.PayloadBytes);

    /// <summary>Reads the next block.</summary>
    /// <exception cref="SnapshotException">The file ends early, or the block is incomplete, damaged or not the expected one.</exception>
    public void Next()
    {
        if (!TryFill(0, SnapshotBlockHeader.Bytes))
        {
            throw new SnapshotException(SnapshotFault.Damaged, $"the file is truncated after {_stream.Length} bytes");
        }

        _block = SnapshotBlockHeader.Read(_buffer);
        bool expected = _block.FileId == Header.Id && _block.Number == _blocks && _block.Records > 0
            && _block.PayloadBytes is > 0 and <= SnapshotFormat.MaxPayloadBytes;
        if (!expected)
        {
            throw new SnapshotException(SnapshotFault.Damaged, $"block {_blocks} is damaged");
        }

        if (SnapshotBlockHeader.Bytes + _block.PayloadBytes > _buffer.Length)
        {
            Array.Resize(ref _buffer, SnapshotBlockHeader.Bytes + _block.PayloadBytes);
        }

        if (!TryFill(SnapshotBlockHeader.Bytes, _block.PayloadBytes) || !_block.Holds(_buffer))
        {
            throw new SnapshotException(SnapshotFault.Damaged, $"block {_blocks} is damaged or truncated");
        }

        _blocks++;
    }

    /// <summary>Whether the end of the stream is reached.</summary>
    public bool IsAtEnd => _stream.Position == _stream.Length;

    private bool TryFill(int at, int bytes) => _stream.ReadAtLeast(_buffer.AsSpan(at, bytes), bytes, throwOnEndOfStream: false) == bytes;
}
