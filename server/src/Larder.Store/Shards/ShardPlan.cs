using System.Numerics;

namespace Larder.Store;

/// <summary>How the memory is divided into shards.</summary>
internal static class ShardPlan
{
    public const int MaxShards = 1024;

    // A shard should hold at least this many of the largest items, so that one of them does not empty it.
    private const int LargestItemsPerShard = 8;

    // More shards than this gain nothing: at 16 a processor, two threads seldom want the same one.
    private const int ShardsPerProcessor = 16;

    // Above this a shard has numbers for fewer segments than it would hold of the smallest large entries (SegmentPlan): it would take fewer of those.
    private const long MostBytesPerShard = 512 << 20;

    public static int Count(CacheStoreOptions options) =>
        options.Shards != 0 ? options.Shards : Count(options.MaxMemoryBytes, options.MaxItemBytes, Environment.ProcessorCount);

    public static int Count(long memoryBytes, int itemBytes, int processors)
    {
        long byMemory = Math.Max(1, memoryBytes / Math.Max((long)itemBytes * LargestItemsPerShard, SegmentPlan.MinShardBytes));
        long wanted = Math.Min(byMemory, (long)processors * ShardsPerProcessor);
        long least = (memoryBytes + MostBytesPerShard - 1) / MostBytesPerShard;
        long count = Math.Max(1L << BitOperations.Log2((ulong)wanted), (long)BitOperations.RoundUpToPowerOf2((ulong)least));
        return (int)Math.Min(count, MaxShards);
    }

    /// <summary>Caches whose accounts take an eighth of a shard at most.</summary>
    public static int MostCaches(long shardBytes) => (int)Math.Min(shardBytes / 8 / Shard.AccountBytesPerCache, int.MaxValue);

    /// <summary>
    /// Flushes whose remains may await reclaim: their places in the accounts take a 32nd of a shard at most, and no flush has to look at more than 4,096.
    /// </summary>
    public static int MostDeadSpaces(long shardBytes) => (int)Math.Min(shardBytes / 32 / Shard.AccountBytesPerSpace, 4096);

    /// <summary>Largest item, in bytes, that a shard of this share takes: half of it.</summary>
    public static long LargestItem(long shardBytes) => shardBytes / 2;
}
