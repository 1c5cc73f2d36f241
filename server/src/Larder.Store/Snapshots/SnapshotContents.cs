namespace Larder.Store.Snapshots;

/// <summary>What a file that was read to its end mark, every block of it whole, holds.</summary>
internal sealed class SnapshotContents
{
    private readonly long[] _bytesByWorth = new long[SnapshotRecord.Worths];

    /// <summary>The names of the caches by number. Entries whose number is not among them were flushed, or their cache deleted, during the writing.</summary>
    public Dictionary<int, SnapshotCacheRecord> Caches { get; } = [];

    /// <summary>The caches that nothing is loaded of, and whether they are not made either: what was flushed or deleted after the file was written.</summary>
    public Dictionary<string, bool> Flushed { get; private set; } = [];

    public required SnapshotHeader Header { get; init; }

    public long Entries { get; private set; }

    public SnapshotEnd End { get; set; }

    /// <summary>Bytes that the entries of this worth take in a store.</summary>
    public long BytesOfWorth(int worth) => _bytesByWorth[worth];

    /// <summary>Nothing is loaded of these caches.</summary>
    public void Leave(Dictionary<string, bool> flushed) => Flushed = flushed;

    public void Add(in SnapshotRecord record, ReadOnlySpan<byte> value)
    {
        if (record.Part == SnapshotPart.First)
        {
            Entries++;
            // Saturated: what does not fit in 64 bits fits in no store either.
            long sum = _bytesByWorth[record.Worth] + record.StoredBytes(value);
            _bytesByWorth[record.Worth] = sum < 0 ? long.MaxValue : sum;
        }
    }
}
