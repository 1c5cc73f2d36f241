namespace Larder.Store.Snapshots;

/// <summary>Why a snapshot cannot be loaded.</summary>
public enum SnapshotFault
{
    /// <summary>The file is not a Larder snapshot. It is not moved.</summary>
    Foreign,

    /// <summary>The file was written by a later version of Larder, or contains something that this version does not know.</summary>
    Newer,

    /// <summary>The file was truncated, changed or never completed, or it cannot be read.</summary>
    Damaged,
}
