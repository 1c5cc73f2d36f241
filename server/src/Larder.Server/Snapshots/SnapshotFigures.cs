namespace Larder.Server.Snapshots;

/// <summary>What became of the snapshots of this process. Before the first one that was written the last one's figures are null.</summary>
internal sealed record SnapshotFigures
{
    /// <summary>Whether one is being written now.</summary>
    public bool IsWriting { get; init; }

    /// <summary>Snapshots written whole.</summary>
    public long Written { get; init; }

    /// <summary>Snapshots that could not be written. One that was given up for the last does not count.</summary>
    public long Failures { get; init; }

    /// <summary>When the last one was finished.</summary>
    public DateTimeOffset? LastAt { get; init; }

    /// <summary>How long it took.</summary>
    public TimeSpan? LastDuration { get; init; }

    /// <summary>Its size.</summary>
    public long? LastBytes { get; init; }

    /// <summary>Entries in it.</summary>
    public long? LastEntries { get; init; }

    /// <summary>Entries that were loaded at the start.</summary>
    public long LoadedEntries { get; init; }

    /// <summary>How long the loading took.</summary>
    public TimeSpan LoadDuration { get; init; }

    /// <summary>Snapshots that were not loaded and kept aside: 0 or 1.</summary>
    public long KeptAside { get; init; }
}
