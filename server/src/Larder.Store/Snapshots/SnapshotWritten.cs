namespace Larder.Store.Snapshots;

/// <summary>The totals of a written snapshot.</summary>
/// <param name="Entries">The number of entries in the file.</param>
/// <param name="Caches">The number of caches in the file.</param>
/// <param name="Bytes">The size of the file, in bytes.</param>
public sealed record SnapshotWritten(long Entries, long Caches, long Bytes);
