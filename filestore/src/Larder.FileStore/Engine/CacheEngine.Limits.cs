namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>What a line costs more than the key, the value and 6 bytes, by which limits are counted.</summary>
    private const int UncountedBytesPerEntry = 25;
    private List<Entry>? _victims;

    /// <summary>Throws or chooses entries to evict where the change would pass the limit.</summary>
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

    /// <summary>Apart from <see cref="MakeRoom"/>, as what it captures would be allocated there at every write.</summary>
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

    /// <summary>Refuses a value by its length (characters or bytes) alone before room for it is taken.</summary>
    internal void RequireFits(long length)
    {
        if (length > _settings.MaxBytes)
        {
            throw Full(length);
        }
    }

    private DistributedFileStoreCacheException Full(long bytes) => new(
        $"The cache {Path} would hold {bytes} bytes, more than its limit of {_settings.MaxBytes}. Nothing was changed. "
        + "Raise MaxBytes (or MaxBytesInJsonCacheFile), let entries expire, or set WhenFull to Evict.");
}
