using Larder.Server.Snapshots;

namespace Larder.Server.Console;

/// <summary>Statistics about the server's snapshots. The values of the last snapshot are null until this process has written a snapshot.</summary>
internal sealed record SnapshotStats
{
    public required bool IsWriting { get; init; }

    public required long Written { get; init; }

    public required long Failures { get; init; }

    /// <summary>Gets the time at which the last snapshot was completed, in seconds since 1970.</summary>
    public required double? LastAtSeconds { get; init; }

    /// <summary>Gets the duration of the last snapshot, in seconds.</summary>
    public required double? LastSeconds { get; init; }

    public required long? LastBytes { get; init; }

    public required long? LastEntries { get; init; }

    /// <summary>Gets the number of entries loaded at startup.</summary>
    public required long LoadedEntries { get; init; }

    /// <summary>Gets the time that loading the snapshot took, in seconds.</summary>
    public required double LoadSeconds { get; init; }

    /// <summary>Gets the number of snapshot files that could not be loaded at startup and were renamed: 0 or 1.</summary>
    public required long KeptAside { get; init; }

    public static SnapshotStats Of(SnapshotStatistics figures) => new()
    {
        IsWriting = figures.IsWriting,
        Written = figures.Written,
        Failures = figures.Failures,
        LastAtSeconds = figures.LastAt?.ToUnixTimeMilliseconds() / 1000.0,
        LastSeconds = figures.LastDuration?.TotalSeconds,
        LastBytes = figures.LastBytes,
        LastEntries = figures.LastEntries,
        LoadedEntries = figures.LoadedEntries,
        LoadSeconds = figures.LoadDuration.TotalSeconds,
        KeptAside = figures.KeptAside,
    };
}
