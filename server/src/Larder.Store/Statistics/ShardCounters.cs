namespace Larder.Store;

/// <summary>What was done to one cache in one shard, written under that shard's lock.</summary>
internal record struct ShardCounters(long Sets, long EvictedForMemory, long Expired, long Flushed, long EvictedForQuota);
