namespace Larder.Store.Tests;

/// <summary>Tests that a large memory limit can be used completely, with few mappings, and that the memory is released afterwards.</summary>
public sealed class CapacityTests
{
    private const long Limit = 12L << 30;

    [LongTheory]
    [InlineData(0, 130_000)]
    [InlineData(0, 3_000)]
    [InlineData(2, 130_000)]
    public void Store_of_12_GiB_is_full_before_first_eviction(int shards, int valueBytes)
    {
        using var store = new CacheStore(new CacheStoreOptions { MaxMemoryBytes = Limit, Shards = shards });
        store.CreateCache("cache");
        Cache cache = store.Find("cache")!;
        byte[] value = new byte[valueBytes];
        value.AsSpan().Fill(1);
        long set = 0;
        while (store.GetStatistics().Evictions.Memory == 0)
        {
            for (int i = 0; i < 1000; i++)
            {
                cache.Set(BitConverter.GetBytes(set++), value, StoreFixture.Hour);
            }
        }

        // Not all memory contains entries: shards fill unevenly, up to an eighth of a segment is unused at its end (more in a large shard), and four segments
        // are kept available.
        StoreStatistics statistics = store.GetStatistics();
        Assert.InRange(statistics.Bytes, Limit * 8 / 10, Limit);
        Assert.InRange(File.ReadLines("/proc/self/maps").Count(), 1, 5000);
        store.FlushCache("cache");
        for (int second = 0; second < 120 && store.GetStatistics().UsedMemoryBytes > Limit / 50; second++)
        {
            store.Maintain();
        }

        Assert.InRange(store.GetStatistics().UsedMemoryBytes, 0, Limit / 50);
        Assert.Equal(0, store.GetStatistics().FailedReleases);
    }
}
