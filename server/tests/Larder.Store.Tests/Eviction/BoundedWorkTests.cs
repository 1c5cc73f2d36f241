namespace Larder.Store.Tests;

/// <summary>
/// S9: tests that only a limited number of entries is visited between an acquisition of a shard's lock and its release. Also tests that a set evicts no more
/// entries than necessary.
/// </summary>
public sealed class BoundedWorkTests
{
    // A step either sweeps 256 entries, or checks 2,048 entries for expiry, selects a victim and walks through 256 entries. Before that, it may visit 16 + 128
    // + 128 entries, and copy 32 groups of the index.
    private const long MaxWork = 2048 + 256 + 16 + 128 + 128 + (32 * 8);

    [Fact]
    public void Write_of_large_value_evicts_stepwise_and_only_as_needed()
    {
        const long Limit = 64L << 20;
        var options = new CacheStoreOptions { MaxMemoryBytes = Limit, Shards = 1, MaxItemBytes = 8_000_000 };
        using var store = new CacheStore(options, poisonFreedMemory: true);
        store.CreateCache("cache");
        Cache cache = store.Find("cache")!;
        int set = 0;
        while (store.GetStatistics().Evictions.Memory == 0)
        {
            for (int i = 0; i < 1000; i++)
            {
                cache.Set(BitConverter.GetBytes(set++), "12345678"u8, StoreFixture.Hour);
            }
        }

        byte[] value = new byte[7_999_000];
        for (int round = 0; round < 3; round++)
        {
            long before = store.GetStatistics().Evictions.Memory;
            cache.Set("large"u8, value, StoreFixture.Hour);
            int smallest = EntryHeader.SizeOf(sizeof(int), 8);
            Assert.InRange(store.GetStatistics().Evictions.Memory - before, 1, (value.Length + (2 * SegmentPlan.SegmentBytesFor(Limit))) / smallest);
            // This single entry exceeds the limit for large entries without hits. It must not be evicted, because otherwise it could never be read.
            store.Maintain();
            Assert.True(cache.Contains("large"u8));
            Assert.InRange(store.MaxWork, 1, MaxWork);
            cache.Delete("large"u8);
            for (int i = 0; i < 300_000; i++)
            {
                cache.Set(BitConverter.GetBytes(set++), "12345678"u8, StoreFixture.Hour);
            }
        }

        store.AssertValid();
    }

    [Fact]
    public void Index_resizes_in_bounded_steps()
    {
        using var fixture = new StoreFixture(64L << 20, shards: 1);
        for (int i = 0; i < 400_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), "v"u8, i < 390_000 ? 1000 : StoreFixture.Hour);
            if (i % 50_000 == 777)
            {
                fixture.Store.AssertValid();
            }
        }

        Assert.InRange(fixture.Store.MaxWork, 1, MaxWork);
        Assert.Equal(400_000, Enumerable.Range(0, 400_000).Count(i => fixture.Cache.Contains(BitConverter.GetBytes(i))));
        fixture.Clock.AdvanceMs(2000);
        for (int second = 0; second < 100; second++)
        {
            fixture.Clock.AdvanceMs(1000);
            fixture.Store.Maintain();
        }

        Assert.InRange(fixture.Store.MaxWork, 1, MaxWork);
        Assert.Equal(10_000, Enumerable.Range(0, 400_000).Count(i => fixture.Cache.Contains(BitConverter.GetBytes(i))));
        Assert.InRange(fixture.Store.GetStatistics().UsedMemoryBytes, 0, 2 << 20);
    }

    [Fact]
    public void Index_keeps_all_entries_added_while_it_shrinks()
    {
        using var fixture = new StoreFixture(64L << 20, shards: 1);
        for (int i = 0; i < 300_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), "v"u8, 1000);
        }

        fixture.Clock.AdvanceMs(3000);
        for (int second = 0; second < 200; second++)
        {
            fixture.Clock.AdvanceMs(100);
            fixture.Store.Maintain();
            for (int i = 0; i < 2000; i++)
            {
                fixture.Cache.Set(BitConverter.GetBytes((second * 2000) + i), "w"u8, StoreFixture.Hour);
            }
        }

        Assert.Equal(400_000, Enumerable.Range(0, 400_000).Count(i => fixture.Cache.Contains(BitConverter.GetBytes(i))));
    }
}
