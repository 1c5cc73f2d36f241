namespace Larder.Store.Snapshots;

/// <summary>Why a snapshot is not loaded.</summary>
public enum SnapshotFault
{
    /// <summary>The file is somebody else's: it is left as it is.</summary>
    Foreign,

    /// <summary>A later version of Larder wrote it, or something that this version does not know is in it.</summary>
    Newer,

    /// <summary>It was cut, changed or never finished, or cannot be read.</summary>
    Damaged,
}
