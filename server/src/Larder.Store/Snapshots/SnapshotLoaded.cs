namespace Larder.Store.Snapshots;

/// <summary>What became of a snapshot's entries.</summary>
public sealed record SnapshotLoaded
{
    /// <summary>Entries that were stored; where the store is too small the last ones may have made earlier ones leave again.</summary>
    public required long Entries { get; init; }

    /// <summary>Caches that are there now because of it.</summary>
    public required long Caches { get; init; }

    /// <summary>Entries whose time was up.</summary>
    public required long Expired { get; init; }

    /// <summary>Entries of a cache that was flushed or deleted while they were written, or after it; collections that left while they were written.</summary>
    public required long Flushed { get; init; }

    /// <summary>Entries left out because the store is too small for all.</summary>
    public required long WithoutRoom { get; init; }

    /// <summary>Entries left out because this store takes none so large, or because it may not have another cache.</summary>
    public required long Refused { get; init; }

    /// <summary>The file's size.</summary>
    public required long Bytes { get; init; }

    /// <summary>When its writing ended.</summary>
    public required DateTimeOffset WrittenAt { get; init; }
}
