namespace Larder.Store.Snapshots;

/// <summary>The content of a block.</summary>
internal enum SnapshotBlockKind
{
    /// <summary>The block contains entries, which may belong to different caches.</summary>
    Entries = 1,

    /// <summary>
    /// The block contains caches, with the numbers by which entries refer to them. It is written after the last entry, and contains the caches that exist at
    /// this time.
    /// </summary>
    Caches = 2,

    /// <summary>The block is the end of the file and contains totals.</summary>
    End = 3,
}
