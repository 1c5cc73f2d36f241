namespace Larder.Store.Snapshots;

/// <summary>Gathers records into blocks and writes those: from one buffer, whatever the size of the whole.</summary>
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

    /// <summary>Bytes handed to the stream.</summary>
    public long BytesWritten { get; private set; }

    /// <summary>Whether a record of this size still fits the block.</summary>
    public bool HasRoom(int bytes) => bytes <= _buffer.Length - _used;

    /// <summary>Room for the next record, which is part of the block once it is <see cref="Added"/>.</summary>
    public Span<byte> Next(int bytes) => _buffer.AsSpan(_used, bytes);

    public void Added(int bytes)
    {
        _used += bytes;
        _records++;
    }

    /// <summary>Writes the block, if something is in it, and begins one with room for a record of this size.</summary>
    public void Begin(SnapshotBlockKind kind, int bytes = 0)
    {
        if (_records > 0)
        {
            WriteBlock();
        }

        _kind = kind;
        if (!HasRoom(bytes))
        {
            // One entry alone is longer than a block usually is.
            _buffer = GC.AllocateUninitializedArray<byte>(SnapshotBlockHeader.Bytes + bytes);
        }
    }

    /// <summary>Writes what is left, and the end mark.</summary>
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
