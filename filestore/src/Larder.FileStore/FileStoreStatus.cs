using Larder.FileStore.Engine;

namespace Larder.FileStore;

/// <summary>The state of an open cache.</summary>
public sealed record FileStoreStatus
{
    /// <summary>The full path of the file.</summary>
    public required string Path { get; init; }

    /// <summary>Entries alive.</summary>
    public int Entries { get; init; }

    /// <summary>Bytes that the live entries take in the file.</summary>
    public long LiveBytes { get; init; }

    /// <summary>Length of the file in bytes, as far as committed.</summary>
    public long FileBytes { get; init; }

    /// <summary>The limit, <see cref="DistributedFileStoreCacheOptions.MaxBytes"/>.</summary>
    public long MaxBytes { get; init; }

    /// <summary>How often the file was rewritten since it was created.</summary>
    public long Generation { get; init; }

    /// <summary>Damaged stretches found since opening; their entries are misses.</summary>
    public long DamagedLines { get; init; }

    /// <summary>True where other processes' writes show within <see cref="DistributedFileStoreCacheOptions.PollInterval"/>, false where at once.</summary>
    public bool IsPolled { get; init; }

    /// <summary>Why reads may be out of date or writes impossible at the moment; null when all is well.</summary>
    public string? Fault { get; init; }

    /// <summary>How often something was found wrong with the file or the disk since opening, what was put right by itself included.</summary>
    public long Faults { get; init; }

    /// <summary>What was found wrong last; null if nothing was since opening.</summary>
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
