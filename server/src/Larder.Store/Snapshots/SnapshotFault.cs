namespace Larder.Store.Snapshots;

/// <summary>The reason why a snapshot cannot be loaded.</summary>
public enum SnapshotFault
{
    /// <summary>The file is not a Larder snapshot. It is not moved.</summary>
    Foreign,

    /// <summary>The file was written by a later version of Larder, or contains data that this version does not support.</summary>
    Newer,

    /// <summary>The file was truncated, changed or never completed, or it cannot be read.</summary>
    Damaged,
}
