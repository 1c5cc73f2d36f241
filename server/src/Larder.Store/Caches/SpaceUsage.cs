namespace Larder.Store;

/// <summary>What one space holds in one shard, written under that shard's lock.</summary>
internal record struct SpaceUsage(long Entries, long Bytes, long ChargedBytes);
