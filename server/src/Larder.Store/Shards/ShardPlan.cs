using System.Numerics;

namespace Larder.Store;

/// <summary>How the memory is divided into shards.</summary>
internal static class ShardPlan
{
    public const int MaxShards = 1024;

    // Minimum number of the largest items that a shard should have space for, so that one of them does not empty it.
    private const int LargestItemsPerShard = 8;

    // More shards have no benefit: with 16 per processor, two threads rarely need the same one.
    private const int ShardsPerProcessor = 16;

    // A larger shard would not have enough segment numbers (SegmentPlan) for as many of the smallest large entries as it has memory for.
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

    /// <summary>Returns the number of caches whose accounts take at most an eighth of a shard.</summary>
    public static int CacheCountLimit(long shardBytes) => (int)Math.Min(shardBytes / 8 / Shard.AccountBytesPerCache, int.MaxValue);

    /// <summary>
    /// Returns the maximum number of dead spaces that wait for reclaim. Their slots in the accounts take at most a 32nd of a shard, and no flush has to
    /// process more than 4,096.
    /// </summary>
    public static int MaxDeadSpaces(long shardBytes) => (int)Math.Min(shardBytes / 32 / Shard.AccountBytesPerSpace, 4096);

    /// <summary>Returns the maximum size of an item in a shard with this share, in bytes: half of it.</summary>
    public static long LargestItem(long shardBytes) => shardBytes / 2;
}
