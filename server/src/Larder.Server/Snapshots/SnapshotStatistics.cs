namespace Larder.Server.Snapshots;

/// <summary>Statistics about the snapshots of this process. The values of the last snapshot are null until a snapshot has been written.</summary>
internal sealed record SnapshotStatistics
{
    /// <summary>Gets whether a snapshot is being written now.</summary>
    public bool IsWriting { get; init; }

    /// <summary>Gets the number of completed snapshots.</summary>
    public long Written { get; init; }

    /// <summary>Gets the number of failed snapshots. A snapshot that was cancelled because the server is shutting down does not count.</summary>
    public long Failures { get; init; }

    /// <summary>Gets the time at which the last snapshot was completed.</summary>
    public DateTimeOffset? LastAt { get; init; }

    /// <summary>Gets the duration of the last snapshot.</summary>
    public TimeSpan? LastDuration { get; init; }

    /// <summary>Gets the size of the last snapshot in bytes.</summary>
    public long? LastBytes { get; init; }

    /// <summary>Gets the number of entries in the last snapshot.</summary>
    public long? LastEntries { get; init; }

    /// <summary>Gets the number of entries loaded at startup.</summary>
    public long LoadedEntries { get; init; }

    /// <summary>Gets the time that loading the snapshot took.</summary>
    public TimeSpan LoadDuration { get; init; }

    /// <summary>Gets the number of snapshot files that could not be loaded and were renamed: 0 or 1.</summary>
    public long KeptAside { get; init; }
}
