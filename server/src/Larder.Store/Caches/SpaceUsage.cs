namespace Larder.Store;

/// <summary>The entries and bytes of one space in one shard. Written under that shard's lock.</summary>
internal record struct SpaceUsage(long Entries, long Bytes, long ChargedBytes);
