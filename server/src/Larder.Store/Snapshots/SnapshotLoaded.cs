namespace Larder.Store.Snapshots;

/// <summary>The numbers of entries that were loaded from a snapshot, and of those that were not.</summary>
public sealed record SnapshotLoaded
{
    /// <summary>Gets the number of entries that were stored. If the store is too small, later entries may have evicted earlier ones.</summary>
    public required long Entries { get; init; }

    /// <summary>Gets the number of caches that were loaded.</summary>
    public required long Caches { get; init; }

    /// <summary>Gets the number of entries that had expired.</summary>
    public required long Expired { get; init; }

    /// <summary>
    /// Gets the number of entries that were not loaded because their cache was flushed or deleted while the snapshot was written or afterwards. Collections
    /// that were removed while the snapshot was written are included.
    /// </summary>
    public required long Flushed { get; init; }

    /// <summary>Gets the number of entries that were not loaded because the store is too small for all entries.</summary>
    public required long WithoutRoom { get; init; }

    /// <summary>
    /// Gets the number of entries that were not loaded because they exceed this store's size limits, or because their cache could not be created.
    /// </summary>
    public required long Refused { get; init; }

    /// <summary>Gets the size of the file, in bytes.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the time at which the writing of the file ended.</summary>
    public required DateTimeOffset WrittenAt { get; init; }
}
