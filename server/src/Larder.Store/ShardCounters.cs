using System.Runtime.InteropServices;

namespace Larder.Store;

/// <summary>What was done to one cache in one shard since the cache was created; on a cache line of its own.</summary>
[StructLayout(LayoutKind.Sequential, Size = 128)]
internal struct ShardCounters
{
    public long Hits;
    public long Misses;
    public long Sets;
    public long EvictedForMemory;
    public long Expired;
    public long Flushed;
}
