namespace Larder.Store;

/// <summary>The operation counts of one cache in one shard. Written under that shard's lock.</summary>
internal record struct ShardCounters(long Sets, long EvictedForMemory, long Expired, long Flushed, long EvictedForQuota);
