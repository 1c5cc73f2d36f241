using Larder.Store.Collections;

namespace Larder.Store.Snapshots;

/// <summary>Reads and checks a whole snapshot file.</summary>
internal sealed class SnapshotReader
{
    private readonly SnapshotContents _contents;
    private readonly EntrySink? _sink;
    private readonly List<CollectionItem> _elements = [];
    private SnapshotRecord _before;

    private SnapshotReader(SnapshotContents contents, EntrySink? sink)
    {
        _contents = contents;
        _sink = sink;
    }

    /// <summary>Receives an entry. The key and the value are valid only during the call.</summary>
    public delegate void EntrySink(in SnapshotRecord record, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value);

    /// <summary>Reads the stream from start to end.</summary>
    /// <param name="stream">A seekable stream.</param>
    /// <param name="sink">Receives each entry when it is read, before the rest of the file is checked. If null, the file is only checked.</param>
    /// <param name="cancelled">Cancels the read.</param>
    /// <exception cref="SnapshotException">The file is incomplete, or not a snapshot that this version can read.</exception>
    public static SnapshotContents Read(Stream stream, EntrySink? sink, CancellationToken cancelled)
    {
        var blocks = new SnapshotBlockReader(stream);
        var contents = new SnapshotContents { Header = blocks.Header };
        SnapshotReader reader = new(contents, sink);
        SnapshotBlockKind last = SnapshotBlockKind.Entries;
        while (last != SnapshotBlockKind.End)
        {
            cancelled.ThrowIfCancellationRequested();
            blocks.Next();
            if (blocks.Kind < last)
            {
                throw Damaged("the blocks of the file are out of order");
            }

            last = blocks.Kind;
            int records = last switch
            {
                SnapshotBlockKind.Entries => reader.ReadEntries(blocks.Payload),
                SnapshotBlockKind.Caches => ReadCaches(blocks.Payload, contents),
                SnapshotBlockKind.End when blocks.Payload.Length == SnapshotEnd.Bytes => ReadEnd(blocks.Payload, contents),
                _ => throw Damaged("the file contains a block of unknown type"),
            };
            if (records != blocks.Records)
            {
                throw Damaged("the record count of a block does not match its records");
            }
        }

        bool complete = blocks.IsAtEnd && contents.End.Entries == contents.Entries && contents.End.Caches == contents.Caches.Count;
        return complete ? contents : throw Damaged("the content of the file does not match its end mark");
    }

    private int ReadEntries(ReadOnlySpan<byte> payload)
    {
        int records = 0;
        for (; !payload.IsEmpty; records++)
        {
            var record = SnapshotRecord.Read(payload);
            ReadOnlySpan<byte> value = payload.Slice(SnapshotRecord.Bytes + record.KeyBytes, record.ValueBytes);
            if (record.IsCollection)
            {
                CheckPiece(record, value);
            }

            _before = record;
            _contents.Add(record, value);
            _sink?.Invoke(record, payload.Slice(SnapshotRecord.Bytes, record.KeyBytes), value);
            payload = payload[record.SizeBytes..];
        }

        return records;
    }

    private void CheckPiece(in SnapshotRecord record, ReadOnlySpan<byte> value)
    {
        bool follows = record.Part == SnapshotPart.First
            || (_before.Type == record.Type && _before.Cache == record.Cache && _before.Part != SnapshotPart.Gone);
        if (!follows || !CollectionPiece.TryParse(value[SnapshotRecord.PieceBytes..], (ItemType)record.Type, _elements))
        {
            throw Damaged("a block contains an incomplete collection");
        }
    }

    private static int ReadCaches(ReadOnlySpan<byte> payload, SnapshotContents contents)
    {
        int records = 0;
        for (; !payload.IsEmpty; records++)
        {
            var cache = SnapshotCacheRecord.Read(payload);
            if (!contents.Caches.TryAdd(cache.Number, cache))
            {
                throw Damaged("two caches in the file have the same number");
            }

            payload = payload[cache.SizeBytes..];
        }

        return records;
    }

    private static int ReadEnd(ReadOnlySpan<byte> payload, SnapshotContents contents)
    {
        contents.End = SnapshotEnd.Read(payload);
        return contents.End.IsInCalendar ? 1 : throw Damaged($"the end mark of the file has a time outside the years 1 to 9999 ({contents.End.EndedAtMs} ms)");
    }

    private static SnapshotException Damaged(string how) => new(SnapshotFault.Damaged, how);
}
