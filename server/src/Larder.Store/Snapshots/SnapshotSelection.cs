namespace Larder.Store.Snapshots;

/// <summary>
/// Decides which entries of a snapshot are loaded if the store is too small for all of them. The entries with the highest worth according to the store's
/// eviction policy are loaded. Among entries of equal worth, the first ones are loaded.
/// </summary>
internal sealed class SnapshotSelection
{
    private int _least;
    private long _leftOfLeast;

    /// <param name="contents">The snapshot.</param>
    /// <param name="bytes">The number of bytes of entries for which the store has space.</param>
    public SnapshotSelection(SnapshotContents contents, long bytes)
    {
        _least = SnapshotRecord.Worths - 1;
        while (_least > 0 && contents.BytesOfWorth(_least) <= bytes)
        {
            bytes -= contents.BytesOfWorth(_least--);
        }

        _leftOfLeast = bytes;
    }

    /// <summary>Rejects all further entries.</summary>
    public void Close() => _least = SnapshotRecord.Worths;

    /// <summary>Returns whether to load the entry. If so, reserves memory for it.</summary>
    public bool Take(in SnapshotRecord record, ReadOnlySpan<byte> value)
    {
        if (record.Worth != _least)
        {
            return record.Worth > _least;
        }

        // A negative value is not changed anymore, so it cannot wrap around.
        _leftOfLeast -= _leftOfLeast >= 0 ? record.StoredBytes(value) : 0;
        return _leftOfLeast >= 0;
    }
}
