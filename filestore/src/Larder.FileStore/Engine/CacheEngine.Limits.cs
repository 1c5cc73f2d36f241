namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>The overhead of a line that the size limits do not count: everything except the key, the value and 6 bytes.</summary>
    private const int UncountedBytesPerEntry = 25;
    private List<Entry>? _victims;

    /// <summary>If the change would exceed the size limit, throws or chooses the entries to evict.</summary>
    private void MakeRoom<T>(ref T mutation, RecordBuffer buffer)
        where T : struct, IMutation
    {
        mutation.Measure(_set, out long bytes, out int count);
        long excess = bytes - (long)count * UncountedBytesPerEntry - _settings.MaxBytes;
        if (excess <= 0)
        {
            return;
        }
        Evict(mutation, excess, buffer);
    }

    /// <summary>
    /// Chooses the entries to evict and encodes their removal. Throws if eviction is disabled or cannot free enough space. This method is separate from
    /// <see cref="MakeRoom"/>, because <see cref="MakeRoom"/> would otherwise allocate the closures on every write.
    /// </summary>
    private void Evict<T>(T mutation, long excess, RecordBuffer buffer)
        where T : struct, IMutation
    {
        if (_settings.WhenFull == FileStoreFullMode.Throw)
        {
            throw Full(excess + _settings.MaxBytes);
        }
        List<Entry> victims = _set.ChooseVictims(excess, key => mutation.Writes(key));
        long freed = victims.Sum(v => (long)v.RecordBytes - UncountedBytesPerEntry);
        while (freed < excess)
        {
            List<Entry> more = _set.ChooseVictims(excess - freed, key => mutation.Writes(key) || victims.Exists(v => v.Key == key));
            if (more.Count == 0)
            {
                throw Full(excess + _settings.MaxBytes);
            }
            victims.AddRange(more);
            freed += more.Sum(v => (long)v.RecordBytes - UncountedBytesPerEntry);
        }
        buffer.BeginBatch(clear: false);
        foreach (Entry victim in victims)
        {
            buffer.BeginItem();
            buffer.Remove(victim.Key);
            buffer.EndItem();
        }
        buffer.EndBatch();
        _victims = victims;
    }

    private void MakeRoomInMemory()
    {
        if (_victims is { } victims)
        {
            _victims = null;
            victims.ForEach(v => _set.Remove(v.Key));
            Instruments.Evicted(victims.Count);
        }
    }

    /// <summary>
    /// Throws if the length of the value alone (in characters or bytes) exceeds the limit. Called before memory for the encoded value is allocated.
    /// </summary>
    internal void RequireFits(long length)
    {
        if (length > _settings.MaxBytes)
        {
            throw Full(length);
        }
    }

    private DistributedFileStoreCacheException Full(long bytes) => new(
        $"The cache {Path} is full: it would contain {bytes} bytes, and its limit is {_settings.MaxBytes}. Nothing was changed. "
        + "Raise MaxBytes (or MaxBytesInJsonCacheFile), let entries expire, or set WhenFull to Evict.");
}
