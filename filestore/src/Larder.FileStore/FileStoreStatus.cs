using Larder.FileStore.Engine;

namespace Larder.FileStore;

/// <summary>The state of an open cache.</summary>
public sealed record FileStoreStatus
{
    /// <summary>Gets the full path of the file.</summary>
    public required string Path { get; init; }

    /// <summary>Gets the number of live entries.</summary>
    public int Entries { get; init; }

    /// <summary>Gets the size of the live entries in the file, in bytes.</summary>
    public long LiveBytes { get; init; }

    /// <summary>Gets the committed length of the file, in bytes.</summary>
    public long FileBytes { get; init; }

    /// <summary>Gets the size limit, <see cref="DistributedFileStoreCacheOptions.MaxBytes"/>.</summary>
    public long MaxBytes { get; init; }

    /// <summary>Gets the generation of the file, which increases each time the file is rewritten.</summary>
    public long Generation { get; init; }

    /// <summary>Gets the number of damaged regions found since opening. Reads of the entries in these regions are misses.</summary>
    public long DamagedLines { get; init; }

    /// <summary>
    /// Gets whether the writes of other processes become visible within <see cref="DistributedFileStoreCacheOptions.PollInterval"/> instead of immediately.
    /// </summary>
    public bool IsPolled { get; init; }

    /// <summary>Gets the reason why reads may currently be stale or writes may fail, or null if the cache is healthy.</summary>
    public string? Fault { get; init; }

    /// <summary>Gets the number of faults of the file or the disk since opening, including those that were repaired automatically.</summary>
    public long Faults { get; init; }

    /// <summary>Gets the most recent fault; null if there was none since opening.</summary>
    public string? LastFault { get; init; }

    internal static FileStoreStatus Of(CacheEngine engine)
    {
        int entries = engine.Count;
        return new FileStoreStatus
        {
            Path = engine.Path,
            Entries = entries,
            LiveBytes = engine.LiveBytes,
            FileBytes = engine.FileBytes,
            MaxBytes = engine.MaxBytes,
            Generation = engine.Generation,
            DamagedLines = engine.DamagedLines,
            IsPolled = engine.IsPolled,
            Fault = engine.Fault,
            Faults = engine.Faults,
            LastFault = engine.LastFault,
        };
    }
}
