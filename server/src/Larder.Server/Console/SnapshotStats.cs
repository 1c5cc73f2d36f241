using Larder.Server.Snapshots;

namespace Larder.Server.Console;

/// <summary>What became of a server's snapshots. The last one's figures are null before this process has written one.</summary>
internal sealed record SnapshotStats
{
    public required bool IsWriting { get; init; }

    public required long Written { get; init; }

    public required long Failures { get; init; }

    /// <summary>When the last one was finished, in seconds since 1970.</summary>
    public required double? LastAtSeconds { get; init; }

    /// <summary>How long it took.</summary>
    public required double? LastSeconds { get; init; }

    public required long? LastBytes { get; init; }

    public required long? LastEntries { get; init; }

    /// <summary>Entries loaded at the start.</summary>
    public required long LoadedEntries { get; init; }

    /// <summary>How long that took.</summary>
    public required double LoadSeconds { get; init; }

    /// <summary>Snapshots that were not loaded at the start and kept aside: 0 or 1.</summary>
    public required long KeptAside { get; init; }

    public static SnapshotStats Of(SnapshotFigures figures) => new()
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
