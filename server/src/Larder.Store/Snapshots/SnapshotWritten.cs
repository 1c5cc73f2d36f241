namespace Larder.Store.Snapshots;

/// <summary>What was written.</summary>
/// <param name="Entries">Entries in the file.</param>
/// <param name="Caches">Caches in it.</param>
/// <param name="Bytes">Its size.</param>
public sealed record SnapshotWritten(long Entries, long Caches, long Bytes);
