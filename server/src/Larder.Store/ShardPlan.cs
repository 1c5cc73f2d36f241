using System.Numerics;

namespace Larder.Store;

/// <summary>How the memory is divided into shards.</summary>
internal static class ShardPlan
{
    // A shard should hold at least this many of the largest items, so that one of them does not empty it.
    private const int LargestItemsPerShard = 8;

    // More shards than this gain nothing: at 16 a processor, two threads seldom want the same one.
    private const int ShardsPerProcessor = 16;

    public static int Count(CacheStoreOptions options)
    {
        if (options.Shards != 0)
        {
            return options.Shards;
        }

        long byMemory = Math.Max(1, options.MaxMemoryBytes / ((long)options.MaxItemBytes * LargestItemsPerShard));
        long wanted = Math.Min(byMemory, Math.Min((long)Environment.ProcessorCount * ShardsPerProcessor, 1024));
        return 1 << BitOperations.Log2((ulong)wanted);
    }

    /// <summary>Largest item, in bytes, that a shard of this share takes: half of it.</summary>
    public static long LargestItem(long shardBytes) => shardBytes / 2;
}
