using Microsoft.Extensions.Logging;

namespace Larder.FileStore.Engine;

/// <summary>The validated options of an open cache.</summary>
internal sealed record FileStoreSettings
{
    internal required string Path { get; init; }

    /// <summary>Gets the path of the Net.DistributedFileStoreCache file to import when the cache is new; null for none.</summary>
    internal string? ImportPath { get; init; }

    internal long MaxBytes { get; init; } = 64 << 20;

    internal FileStoreFullMode WhenFull { get; init; }

    internal TimeSpan LockTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Gets how long a read waits for a change in progress that prevents it from reading the committed contents. After this time the read uses memory and
    /// reports a fault.
    /// </summary>
    internal TimeSpan ReadTimeout { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Gets how long a process leaves the repair of a damaged file to other processes that have the file open. Those processes may have the missing contents in
    /// memory, and they check the file every second.
    /// </summary>
    internal TimeSpan RecoveryTimeout { get; init; } = TimeSpan.FromSeconds(2.5);

    internal FileStoreDurability Durability { get; init; }

    internal FileStoreCoherence Coherence { get; init; }

    internal TimeSpan PollInterval { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Gets the file size below which writes do not schedule a compaction. The periodic sweep also compacts smaller files.</summary>
    internal long CompactionFloorBytes { get; init; } = 1 << 20;

    /// <summary>Gets the exact mode of the files; null for access by the owner only.</summary>
    internal UnixFileMode? UnixCreateMode { get; init; }

    /// <summary>Gets whether the cache is read-only. A read-only cache writes no sidecar, no lock and no change.</summary>
    internal bool ReadOnly { get; init; }

    /// <summary>Gets the maximum length of a line in bytes; longer lines are rejected.</summary>
    internal int MaxLineBytes { get; init; } = LogScanner.MaxLineBytes;

    internal TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    internal ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>Gets the function that checks whether a folder's file system is coherent between processes. Tests replace this function.</summary>
    internal Func<string, bool> Probe { get; init; } = FileSystemProbe.IsCoherent;
}
