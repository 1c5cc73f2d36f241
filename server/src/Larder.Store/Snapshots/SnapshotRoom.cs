namespace Larder.Store.Snapshots;

/// <summary>
/// Which entries of a snapshot a store has room for: all, or else those that deserve it most, by the store's own rule, and of those that deserve it
/// equally the first that come.
/// </summary>
internal sealed class SnapshotRoom
{
    private int _least;
    private long _leftOfLeast;

    /// <param name="contents">The snapshot.</param>
    /// <param name="bytes">What the store holds of entries.</param>
    public SnapshotRoom(SnapshotContents contents, long bytes)
    {
        _least = SnapshotRecord.Worths - 1;
        while (_least > 0 && contents.BytesOfWorth(_least) <= bytes)
        {
            bytes -= contents.BytesOfWorth(_least--);
        }

        _leftOfLeast = bytes;
    }

    /// <summary>From now on there is room for none.</summary>
    public void Close() => _least = SnapshotRecord.Worths;

    /// <summary>Whether there is room for this entry, which then has it.</summary>
    public bool Take(in SnapshotRecord record, ReadOnlySpan<byte> value)
    {
        if (record.Worth != _least)
        {
            return record.Worth > _least;
        }

        // Once negative it stays as it is: it cannot wrap around.
        _leftOfLeast -= _leftOfLeast >= 0 ? record.StoredBytes(value) : 0;
        return _leftOfLeast >= 0;
    }
}
