namespace Larder.Store.Snapshots;

/// <summary>The contents of a snapshot file. The file was read to its end mark, and all its blocks are valid.</summary>
internal sealed class SnapshotContents
{
    private readonly long[] _bytesByWorth = new long[SnapshotRecord.Worths];

    /// <summary>The caches by number. Entries with other numbers belong to caches that were flushed or deleted while the snapshot was written.</summary>
    public Dictionary<int, SnapshotCacheRecord> Caches { get; } = [];

    /// <summary>
    /// The caches whose entries are not loaded, because they were flushed or deleted after the file was written. The value is true if the cache was deleted. A
    /// deleted cache is not created.
    /// </summary>
    public Dictionary<string, bool> Flushed { get; private set; } = [];

    public required SnapshotHeader Header { get; init; }

    public long Entries { get; private set; }

    public SnapshotEnd End { get; set; }

    /// <summary>Returns the number of bytes that a store needs for all entries with this <see cref="SnapshotRecord.Worth"/>.</summary>
    public long BytesOfWorth(int worth) => _bytesByWorth[worth];

    /// <summary>Sets the caches whose entries are not loaded.</summary>
    public void Leave(Dictionary<string, bool> flushed) => Flushed = flushed;

    public void Add(in SnapshotRecord record, ReadOnlySpan<byte> value)
    {
        if (record.Part == SnapshotPart.First)
        {
            Entries++;
            // Limits the sum to the maximum value. A sum that does not fit into 64 bits does not fit into any store.
            long sum = _bytesByWorth[record.Worth] + record.StoredBytes(value);
            _bytesByWorth[record.Worth] = sum < 0 ? long.MaxValue : sum;
        }
    }
}
