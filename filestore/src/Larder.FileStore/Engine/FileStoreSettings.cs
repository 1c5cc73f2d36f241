using Microsoft.Extensions.Logging;

namespace Larder.FileStore.Engine;

/// <summary>The options as checked once, at opening.</summary>
internal sealed record FileStoreSettings
{
    internal required string Path { get; init; }

    /// <summary>The older library's file to take entries from when the cache is new; null for none.</summary>
    internal string? ImportPath { get; init; }

    internal long MaxBytes { get; init; } = 64 << 20;

    internal FileStoreFullMode WhenFull { get; init; }

    internal TimeSpan LockTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a read waits where a change in progress keeps it from what was committed; then it answers from memory, and that is a fault.</summary>
    internal TimeSpan ReadPatience { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How long a process leaves a damaged file to those that have it open and may hold what is missing; they look each second.</summary>
    internal TimeSpan RecoveryPatience { get; init; } = TimeSpan.FromSeconds(2.5);

    internal FileStoreDurability Durability { get; init; }

    internal FileStoreCoherence Coherence { get; init; }

    internal TimeSpan PollInterval { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>A file shorter than this is not compacted, whatever share of it is dead.</summary>
    internal long CompactionFloorBytes { get; init; } = 1 << 20;

    /// <summary>The mode of the files, exactly; null: the owner's alone.</summary>
    internal UnixFileMode? UnixCreateMode { get; init; }

    /// <summary>Nothing is written: no sidecar, no lock, no change.</summary>
    internal bool ReadOnly { get; init; }

    /// <summary>A longer line is refused.</summary>
    internal int MostLineBytes { get; init; } = LogScanner.MostLineBytes;

    internal TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    internal ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>Whether a folder's file system is coherent; replaced in tests.</summary>
    internal Func<string, bool> Probe { get; init; } = FileSystemProbe.IsCoherent;
}
