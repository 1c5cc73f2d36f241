using System.Numerics;

namespace Larder.Store;

/// <summary>Decides how the memory is divided into shards.</summary>
internal static class ShardPlan
{
    public const int MaxShards = 1024;

    // The number of items of maximum size for which a shard should have space. Otherwise, storing one such item would evict everything else.
    private const int LargestItemsPerShard = 8;

    // The number of shards per processor. More shards have no benefit, because with this number two threads rarely need the same shard at the same time.
    private const int ShardsPerProcessor = 16;

    // The maximum memory of a shard. If a larger shard contained only the smallest entries that get their own segment, its segment numbers (SegmentPlan) would
    // run out before its memory.
    private const long MaxBytesPerShard = 512 << 20;

    public static int Count(CacheStoreOptions options) =>
        options.Shards != 0 ? options.Shards : Count(options.MaxMemoryBytes, options.MaxItemBytes, Environment.ProcessorCount);

    public static int Count(long memoryBytes, int itemBytes, int processors)
    {
        long byMemory = Math.Max(1, memoryBytes / Math.Max((long)itemBytes * LargestItemsPerShard, SegmentPlan.MinShardBytes));
        long wanted = Math.Min(byMemory, (long)processors * ShardsPerProcessor);
        long least = (memoryBytes + MaxBytesPerShard - 1) / MaxBytesPerShard;
        long count = Math.Max(1L << BitOperations.Log2((ulong)wanted), (long)BitOperations.RoundUpToPowerOf2((ulong)least));
        return (int)Math.Min(count, MaxShards);
    }

    /// <summary>Returns the maximum number of caches. With this number, the accounts of all caches together use at most an eighth of a shard.</summary>
    public static int CacheCountLimit(long shardBytes) => (int)Math.Min(shardBytes / 8 / Shard.AccountBytesPerCache, int.MaxValue);

    /// <summary>
    /// Returns the maximum number of dead spaces that have not been reclaimed yet. With this limit, the accounts of dead spaces use at most a 32nd of a shard,
    /// and no flush has to process more than 4,096 dead spaces.
    /// </summary>
    public static int MaxDeadSpaces(long shardBytes) => (int)Math.Min(shardBytes / 32 / Shard.AccountBytesPerSpace, 4096);

    /// <summary>Returns the maximum size of an item, in bytes. It is half of the memory of a shard.</summary>
    public static long LargestItem(long shardBytes) => shardBytes / 2;
}
