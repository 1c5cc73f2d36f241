namespace Larder.Store.Snapshots;

/// <summary>
/// Decides which entries of a snapshot are loaded if the store is too small for all: those with the highest worth, by the store's own eviction policy; among
/// entries of equal worth, the first ones.
/// </summary>
internal sealed class SnapshotSelection
{
    private int _least;
    private long _leftOfLeast;

    /// <param name="contents">The snapshot.</param>
    /// <param name="bytes">The bytes of entries that the store can hold.</param>
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

    /// <summary>Returns whether the entry is to be loaded, and reserves memory for it.</summary>
    public bool Take(in SnapshotRecord record, ReadOnlySpan<byte> value)
    {
        if (record.Worth != _least)
        {
            return record.Worth > _least;
        }

        // Once negative, the value does not change any more, so it cannot wrap around.
        _leftOfLeast -= _leftOfLeast >= 0 ? record.StoredBytes(value) : 0;
        return _leftOfLeast >= 0;
    }
}
