namespace Larder.Store.Snapshots;

/// <summary>
/// Writes the contents of a store while other threads use it. Each entry is written as it is at some time during the writing. This time differs from entry to
/// entry. Entries that are deleted or flushed before this time are not included. If a cache is flushed or deleted before the last entry is written, none of its
/// entries are included. Collections are written by <see cref="SnapshotCollectionWriter"/>.
/// </summary>
internal sealed unsafe class SnapshotWriter : IEntryVisitor
{
    // The number of index slots per step. In a nearly full index, they contain about 900 entries. The walk prevents the reuse of freed memory only during a
    // step.
    private const int SlotsPerStep = 1024;

    private readonly CacheStore _store;
    private readonly SnapshotSpaces _spaces;
    private readonly SnapshotBlockWriter _blocks;
    private readonly SnapshotCollectionWriter _collections;
    private readonly CancellationToken _cancelled;

    // The difference between the wall clock and the store's clock. Both clocks are read together only once, so that a later change of the wall clock does not
    // affect expiry times.
    private readonly long _wallMs;
    private readonly long _startMs;
    private long _nowMs;
    private long _entries;
    private int _wanted;

    private SnapshotWriter(CacheStore store, Stream stream, SnapshotHeader header, CancellationToken cancelled)
    {
        _store = store;
        _cancelled = cancelled;
        _spaces = store.NumberSpaces();
        _startMs = _nowMs = store.Clock.NowMs;
        _wallMs = store.WallNowMs;
        _blocks = new SnapshotBlockWriter(stream, header);
        _collections = new SnapshotCollectionWriter(_blocks, _spaces, _wallMs - _startMs, cancelled);
    }

    /// <summary>Writes a snapshot to the stream.</summary>
    /// <exception cref="OperationCanceledException">The write was cancelled. The stream does not contain a valid snapshot.</exception>
    public static SnapshotWritten Write(CacheStore store, Stream stream, SnapshotHeader header, CancellationToken cancelled) =>
        new SnapshotWriter(store, stream, header, cancelled).Write();

    /// <summary>Writes a snapshot with a new header.</summary>
    public static SnapshotWritten Write(CacheStore store, Stream stream, CancellationToken cancelled) =>
        Write(store, stream, SnapshotHeader.New(store.WallNowMs), cancelled);

    public bool TryVisit(EntryHeader* entry, QueueKind queue)
    {
        int number = _spaces.NumberOf(entry->SpaceId);
        if (number == 0)
        {
            return true;
        }

        if (entry->Type != ItemType.Scalar)
        {
            return _collections.TryPass(entry, queue, number, _nowMs);
        }

        ReadOnlySpan<byte> tail = EntryHeader.Tail(entry);
        (int keyBytes, int valueBytes) = (entry->KeyLength, tail.Length + entry->ValueLength);
        int size = SnapshotRecord.Bytes + keyBytes + valueBytes;
        if (!_blocks.HasRoom(size))
        {
            _wanted = size;
            return false;
        }

        Span<byte> to = _blocks.Next(size);
        long expiresAtMs = EntryHeader.Read(entry, to[(SnapshotRecord.Bytes + keyBytes + tail.Length)..]);
        if (expiresAtMs > _nowMs && !_spaces.CacheOf(entry->SpaceId).HasRemoved(entry))
        {
            tail.CopyTo(to[(SnapshotRecord.Bytes + keyBytes)..]);
            EntryHeader.Key(entry).CopyTo(to[SnapshotRecord.Bytes..]);
            byte worth = SnapshotRecord.WorthOf(entry->Frequency, queue);
            byte form = tail.IsEmpty ? SnapshotRecord.Scalar
                : EntryTail.HasValidator(tail) ? SnapshotRecord.ScalarWithValidator
                : SnapshotRecord.ScalarWithTail;
            new SnapshotRecord(form, SnapshotPart.First, worth, number, keyBytes, valueBytes, _wallMs + (expiresAtMs - _startMs)).Write(to);
            _blocks.Added(size);
            _entries++;
        }

        return true;
    }

    private SnapshotWritten Write()
    {
        _store.Walk(SlotsPerStep, this, AfterStep);
        _blocks.Begin(SnapshotBlockKind.Caches);
        (string Name, Space Space)[] caches = _store.Spaces;
        foreach ((string name, Space space) in caches)
        {
            SnapshotCacheRecord cache = new(_spaces.NumberOf(space), name, space.Cache.MaxBytes);
            if (!_blocks.HasRoom(cache.SizeBytes))
            {
                _blocks.Begin(SnapshotBlockKind.Caches);
            }

            cache.Write(_blocks.Next(cache.SizeBytes));
            _blocks.Added(cache.SizeBytes);
        }

        long entries = _entries + _collections.Entries;
        _blocks.End(new SnapshotEnd(entries, caches.Length, _wallMs + (_store.Clock.NowMs - _startMs)));
        return new SnapshotWritten(entries, caches.Length, _blocks.BytesWritten);
    }

    private void AfterStep()
    {
        _cancelled.ThrowIfCancellationRequested();
        _nowMs = _store.Clock.NowMs;
        _collections.WriteWanted();
        if (_wanted > 0)
        {
            _blocks.Begin(SnapshotBlockKind.Entries, _wanted);
            _wanted = 0;
        }
    }
}
