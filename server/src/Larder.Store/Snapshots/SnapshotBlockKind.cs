namespace Larder.Store.Snapshots;

/// <summary>What a block holds.</summary>
internal enum SnapshotBlockKind
{
    /// <summary>Entries of any caches.</summary>
    Entries = 1,

    /// <summary>Caches, with the numbers that entries know them by: those that were there when the last entry was written.</summary>
    Caches = 2,

    /// <summary>The end: how much came before.</summary>
    End = 3,
}
