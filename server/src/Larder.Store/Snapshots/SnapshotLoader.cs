namespace Larder.Store.Snapshots;

/// <summary>
/// Puts a snapshot's entries into a store that nobody else writes to yet: in two passes, the first of which changes nothing and reads to the end mark. An
/// entry has what was left of its time when the file was finished, less the time since then by the wall clock: nothing less, where that clock has gone back.
/// </summary>
internal sealed class SnapshotLoader
{
    private readonly CacheStore _store;
    private readonly SnapshotContents _contents;
    private readonly SnapshotRoom _room;
    private readonly Dictionary<int, Cache> _caches = [];
    private readonly long _nowMs;
    private readonly long _wallMs;
    private long _entries;
    private long _expired;
    private long _flushed;
    private long _withoutRoom;
    private long _refused;

    private SnapshotLoader(CacheStore store, SnapshotContents contents)
    {
        _store = store;
        _contents = contents;
        _room = new SnapshotRoom(contents, store.BytesToLoad);
        _nowMs = store.Clock.NowMs;
        _wallMs = Math.Max(store.WallNowMs, contents.End.EndedAtMs);
    }

    /// <summary>Loads a snapshot from a stream that can seek.</summary>
    /// <exception cref="SnapshotException">It is not whole, or no snapshot that this version reads; the store has nothing of it.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled; the store may have part of it.</exception>
    public static SnapshotLoaded Load(CacheStore store, Stream stream, CancellationToken cancelled)
    {
        return Load(store, stream, SnapshotReader.Read(stream, sink: null, cancelled), cancelled);
    }

    /// <summary>The same, of a stream that was read to its end.</summary>
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
        catch (Exception error) when (error is SnapshotException or IOException)
        {
            // It was whole a moment ago.
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
            WithoutRoom = _withoutRoom,
            Refused = _refused,
            Bytes = stream.Length,
            WrittenAt = DateTimeOffset.FromUnixTimeMilliseconds(_contents.End.EndedAtMs),
        };
    }

    private void MakeCaches(List<string> made)
    {
        foreach ((int number, string name) in _contents.Caches.OrderBy(cache => cache.Value, StringComparer.Ordinal))
        {
            if (_contents.Flushed.TryGetValue(name, out bool isDeleted) && isDeleted)
            {
                continue;
            }

            try
            {
                if (_store.CreateCache(name))
                {
                    made.Add(name);
                }
            }
            catch (Exception error) when (error is InvalidOperationException or ArgumentException)
            {
                // This store may have fewer caches, or no such names: their entries are counted as refused.
                continue;
            }

            _caches.Add(number, _store.Find(name)!);
        }
    }

    private void Store(in SnapshotRecord record, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (!_contents.Caches.TryGetValue(record.Cache, out string? name) || _contents.Flushed.ContainsKey(name))
        {
            _flushed++;
        }
        else if (!_caches.TryGetValue(record.Cache, out Cache? cache) || record.KeyBytes + record.ValueBytes > _store.MaxItemBytes)
        {
            _refused++;
        }
        else if (record.ExpiresAtMs <= _wallMs)
        {
            _expired++;
        }
        else if (!_room.Take(record))
        {
            _withoutRoom++;
        }
        else
        {
            Store(cache, record, key, value);
        }
    }

    private void Store(Cache cache, in SnapshotRecord record, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        long ttlMs = record.ExpiresAtMs > _wallMs + _store.MaxTtlMs ? _store.MaxTtlMs : record.ExpiresAtMs - _wallMs;
        try
        {
            cache.Restore(key, value, _nowMs + ttlMs, (byte)(record.Worth & EntryHeader.MaxFrequency), record.Worth >= SnapshotRecord.MainQueue);
            _entries++;
        }
        catch (InsufficientMemoryException)
        {
            // The system refuses memory: what is in stays.
            _room.Close();
            _withoutRoom++;
        }
    }
}
