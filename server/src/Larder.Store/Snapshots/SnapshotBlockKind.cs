namespace Larder.Store.Snapshots;

/// <summary>What a block contains.</summary>
internal enum SnapshotBlockKind
{
    /// <summary>Entries of any caches.</summary>
    Entries = 1,

    /// <summary>Caches, with the numbers by which entries refer to them. Written after the last entry, with the caches that existed then.</summary>
    Caches = 2,

    /// <summary>The end of the file, with totals.</summary>
    End = 3,
}
