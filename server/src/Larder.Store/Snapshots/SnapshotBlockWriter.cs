namespace Larder.Store.Snapshots;

/// <summary>Collects records into blocks and writes the blocks from one buffer, so the memory use does not depend on the size of the snapshot.</summary>
internal sealed class SnapshotBlockWriter
{
    private readonly Stream _stream;
    private readonly ulong _fileId;
    private byte[] _buffer = GC.AllocateUninitializedArray<byte>(SnapshotBlockHeader.Bytes + SnapshotFormat.BlockBytes);
    private SnapshotBlockKind _kind = SnapshotBlockKind.Entries;
    private int _used = SnapshotBlockHeader.Bytes;
    private int _records;
    private long _blocks;

    public SnapshotBlockWriter(Stream stream, SnapshotHeader header)
    {
        _stream = stream;
        _fileId = header.Id;
        Span<byte> start = stackalloc byte[SnapshotHeader.Bytes];
        header.Write(start);
        _stream.Write(start);
        BytesWritten = start.Length;
    }

    /// <summary>The number of bytes written to the stream.</summary>
    public long BytesWritten { get; private set; }

    /// <summary>Returns whether a record of this size fits into the current block.</summary>
    public bool HasRoom(int bytes) => bytes <= _buffer.Length - _used;

    /// <summary>Returns space for the next record. The record becomes part of the block when <see cref="Added"/> is called.</summary>
    public Span<byte> Next(int bytes) => _buffer.AsSpan(_used, bytes);

    public void Added(int bytes)
    {
        _used += bytes;
        _records++;
    }

    /// <summary>Writes the current block if it is not empty. Starts a new block with space for a record of this size.</summary>
    public void Begin(SnapshotBlockKind kind, int bytes = 0)
    {
        if (_records > 0)
        {
            WriteBlock();
        }

        _kind = kind;
        if (!HasRoom(bytes))
        {
            // A single entry can be larger than a regular block.
            _buffer = GC.AllocateUninitializedArray<byte>(SnapshotBlockHeader.Bytes + bytes);
        }
    }

    /// <summary>Writes the last block and the end mark.</summary>
    public void End(SnapshotEnd end)
    {
        Begin(SnapshotBlockKind.End);
        end.Write(Next(SnapshotEnd.Bytes));
        Added(SnapshotEnd.Bytes);
        WriteBlock();
    }

    private void WriteBlock()
    {
        Span<byte> block = _buffer.AsSpan(0, _used);
        new SnapshotBlockHeader(_kind, _used - SnapshotBlockHeader.Bytes, _fileId, _blocks++, _records, 0).Seal(block);
        _stream.Write(block);
        BytesWritten += _used;
        _used = SnapshotBlockHeader.Bytes;
        _records = 0;
    }
}
