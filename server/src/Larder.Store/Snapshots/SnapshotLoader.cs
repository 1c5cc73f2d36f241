using System.Runtime.InteropServices;
using Larder.Store.Collections;

namespace Larder.Store.Snapshots;

/// <summary>
/// Loads a snapshot's entries into a store that no other thread writes to yet. The loader reads the file twice. The first pass only checks the whole file. The
/// new TTL of an entry is the TTL that remained when the file was completed, minus the wall-clock time since then. If the wall clock was set back, nothing is
/// subtracted.
/// </summary>
internal sealed class SnapshotLoader
{
    private readonly CacheStore _store;
    private readonly SnapshotContents _contents;
    private readonly SnapshotSelection _room;
    private readonly Dictionary<int, Cache> _caches = [];
    private readonly List<CollectionItem> _elements = [];
    private byte[] _key = [];
    private Cache? _loading;
    private RestoredCollection _entry;
    private readonly long _nowMs;
    private readonly long _wallMs;
    private long _entries;
    private long _expired;
    private long _flushed;
    private long _notLoadedForSpace;
    private long _refused;

    private SnapshotLoader(CacheStore store, SnapshotContents contents)
    {
        _store = store;
        _contents = contents;
        _room = new SnapshotSelection(contents, store.BytesToLoad);
        _nowMs = store.Clock.NowMs;
        _wallMs = Math.Max(store.WallNowMs, contents.End.EndedAtMs);
    }

    /// <summary>Loads a snapshot from a seekable stream.</summary>
    /// <exception cref="SnapshotException">The file is incomplete, or not a snapshot that this version can read. Nothing was loaded.</exception>
    /// <exception cref="OperationCanceledException">The load was cancelled. The store may contain part of the snapshot.</exception>
    public static SnapshotLoaded Load(CacheStore store, Stream stream, CancellationToken cancelled)
    {
        return Load(store, stream, SnapshotReader.Read(stream, sink: null, cancelled), cancelled);
    }

    /// <summary>Loads a snapshot from a stream that has already been checked completely.</summary>
    public static SnapshotLoaded Load(CacheStore store, Stream stream, SnapshotContents contents, CancellationToken cancelled) =>
        new SnapshotLoader(store, contents).Load(stream, cancelled);

    private SnapshotLoaded Load(Stream stream, CancellationToken cancelled)
    {
        var made = new List<string>();
        try
        {
            MakeCaches(made);
            SnapshotReader.Read(stream, Store, cancelled);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            // The file was valid in the first pass, so this failure is unexpected. Remove the entries that were loaded.
            made.ForEach(name => _store.DeleteCache(name));
            Array.ForEach(_store.Spaces, cache => _store.FlushCache(cache.Name));
            throw;
        }

        return new SnapshotLoaded
        {
            Entries = _entries,
            Caches = _caches.Count,
            Expired = _expired,
            Flushed = _flushed,
            WithoutRoom = _notLoadedForSpace,
            Refused = _refused,
            Bytes = stream.Length,
            WrittenAt = DateTimeOffset.FromUnixTimeMilliseconds(_contents.End.EndedAtMs),
        };
    }

    private void MakeCaches(List<string> made)
    {
        foreach ((int number, string name, long maxBytes) in _contents.Caches.Values.OrderBy(cache => cache.Name, StringComparer.Ordinal))
        {
            if (_contents.Flushed.TryGetValue(name, out bool isDeleted) && isDeleted)
            {
                continue;
            }

            try
            {
                // This store may accept larger items than the store that wrote the snapshot, and therefore require a larger minimum quota.
                if (_store.CreateCache(name, maxBytes == 0 ? 0 : Math.Max(maxBytes, _store.MinQuotaBytes)))
                {
                    made.Add(name);
                }
            }
            catch (Exception error) when (error is InvalidOperationException or ArgumentException)
            {
                // This store may allow fewer caches or reject the name. In this case, the cache's entries are counted as refused.
                continue;
            }

            _caches.Add(number, _store.Find(name)!);
        }
    }

    private void Store(in SnapshotRecord record, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (record.Part != SnapshotPart.First)
        {
            StoreMore(record, value);
            return;
        }

        _loading = null;
        if (!_contents.Caches.TryGetValue(record.Cache, out SnapshotCacheRecord of) || _contents.Flushed.ContainsKey(of.Name))
        {
            _flushed++;
        }
        else if (!_caches.TryGetValue(record.Cache, out Cache? cache) || IsTooLarge(record, value))
        {
            _refused++;
        }
        else if (record.ExpiresAtMs <= _wallMs)
        {
            _expired++;
        }
        else if (!_room.Take(record, value))
        {
            _notLoadedForSpace++;
        }
        else
        {
            Store(cache, record, key, value);
        }
    }

    private bool IsTooLarge(in SnapshotRecord record, ReadOnlySpan<byte> value) => record.IsCollection
        ? record.StoredBytes(value) > _store.MaxCollectionBytes || record.KeyBytes > _store.MaxItemBytes
        : record.KeyBytes + value.Length - TailBytes(record, value) > _store.MaxItemBytes;

    private static int TailBytes(in SnapshotRecord record, ReadOnlySpan<byte> value) =>
        record.HasTail ? EntryTail.LengthOf(value) : 0;

    private void Store(Cache cache, in SnapshotRecord record, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        long expiresAtMs = _nowMs + (record.ExpiresAtMs > _wallMs + _store.MaxTtlMs ? _store.MaxTtlMs : record.ExpiresAtMs - _wallMs);
        byte frequency = (byte)(record.Worth & EntryHeader.MaxFrequency);
        bool isOfMain = record.Worth >= SnapshotRecord.MainQueue;
        _entries++;
        if (record.IsCollection)
        {
            _loading = cache;
            _key = key.ToArray();
            _entry = new RestoredCollection((ItemType)record.Type, expiresAtMs, frequency, isOfMain ? QueueKind.Main : QueueKind.Small);
            StorePiece(value, isFirst: true);
            return;
        }

        try
        {
            int tailBytes = TailBytes(record, value);
            ReadOnlySpan<byte> tail = tailBytes == 0 ? default : EntryTail.Anew(value, _store.MaxTtlMs);
            cache.Restore(key, value[tailBytes..], expiresAtMs, frequency, isOfMain, tail);
        }
        catch (InsufficientMemoryException)
        {
            // The operating system refuses the memory. Keep the entries that were loaded, and reject all others.
            _room.Close();
            _entries--;
            _notLoadedForSpace++;
        }
    }

    private void StoreMore(in SnapshotRecord record, ReadOnlySpan<byte> value)
    {
        if (_loading is not null && record.Part == SnapshotPart.More)
        {
            StorePiece(value, isFirst: false);
        }
        else if (_loading is not null)
        {
            Drop(ref _flushed);
        }
    }

    private void StorePiece(ReadOnlySpan<byte> value, bool isFirst)
    {
        ReadOnlySpan<byte> bytes = value[SnapshotRecord.PieceBytes..];
        bool isPiece = CollectionPiece.TryParse(bytes, _entry.Type, _elements);
        Invariant.Holds(isPiece, "the reader has looked at the piece");
        if (_elements.Exists(element => _key.Length + element.NameLength + element.ValueLength > _store.MaxItemBytes))
        {
            Drop(ref _refused);
            return;
        }

        try
        {
            CollectionBatch batch = new(bytes, CollectionsMarshal.AsSpan(_elements));
            switch (_loading!.RestorePiece(_key, _entry, isFirst, batch))
            {
                case CollectionOutcome.Ok:
                    break;
                case CollectionOutcome.Full:
                    Drop(ref _refused);
                    break;
                default:
                    // The collection was evicted while its pieces were being loaded.
                    Drop(ref _notLoadedForSpace);
                    break;
            }
        }
        catch (InsufficientMemoryException)
        {
            _room.Close();
            Drop(ref _notLoadedForSpace);
        }
    }

    private void Drop(ref long reason)
    {
        _loading!.Delete(_key);
        _loading = null;
        _entries--;
        reason++;
    }
}
