namespace Larder.Store.Tests;

/// <summary>Tests that a memory limit can be used completely with entries of any size, because there are enough addresses and segment numbers.</summary>
public sealed class SegmentPlanTests
{
    [Theory]
    [InlineData(1L << 20)]
    [InlineData(256L << 20)]
    [InlineData(910L << 20)]
    [InlineData(12L << 30)]
    [InlineData(64L << 30)]
    [InlineData(256L << 30)]
    [InlineData(1L << 40)]
    public void Segment_numbers_cover_all_memory_of_any_store_size(long memoryBytes)
    {
        foreach (int processors in (int[])[1, 2, 64])
        {
            int shards = ShardPlan.Count(memoryBytes, 5_000_192, processors);
            AssertUsableInFull(memoryBytes / shards);
        }
    }

    [Theory]
    [InlineData(256L << 10)]
    [InlineData(1L << 20)]
    [InlineData(911L << 20)]
    [InlineData(2L << 30)]
    [InlineData(4L << 30)]
    [InlineData(7L << 30)]
    public void Segment_numbers_cover_all_memory_of_any_shard_size(long shardBytes) => AssertUsableInFull(shardBytes);

    [Theory]
    [InlineData(1L << 20, 4, true)]
    [InlineData(1L << 20, 8, false)]
    [InlineData(7L << 30, 1, true)]
    [InlineData((7L << 30) + 1, 1, false)]
    [InlineData(70L << 30, 1, false)]
    public void Validate_rejects_too_small_or_too_large_shards(long memoryBytes, int shards, bool taken)
    {
        var options = new CacheStoreOptions { MaxMemoryBytes = memoryBytes, Shards = shards };
        if (taken)
        {
            options.Validate();
        }
        else
        {
            Assert.Equal("Shards", Assert.Throws<ArgumentOutOfRangeException>(options.Validate).ParamName);
        }
    }

    [Fact]
    public void Smallest_store_with_smallest_item_limit_stores_largest_items()
    {
        var options = new CacheStoreOptions { MaxMemoryBytes = CacheStoreOptions.MinMemoryBytes, MaxItemBytes = 1000 };
        using var store = new CacheStore(options, poisonFreedMemory: true);
        store.CreateCache("cache");
        Cache cache = store.Find("cache")!;
        byte[] value = new byte[store.MaxItemBytes - sizeof(int)];
        for (int i = 0; i < 20_000; i++)
        {
            cache.Set(BitConverter.GetBytes(i), value.AsSpan(0, i % value.Length), StoreFixture.Hour);
            Assert.True(cache.Contains(BitConverter.GetBytes(i)));
        }

        store.AssertValid();
        Assert.InRange(store.GetStatistics().UsedMemoryBytes, options.MaxMemoryBytes / 2, options.MaxMemoryBytes);
    }

    // The smallest entry that has its own segment occupies whole pages.
    private static void AssertUsableInFull(long shardBytes)
    {
        SegmentPlan plan = SegmentPlan.For(shardBytes);
        long smallestSingle = SegmentHeap.PagesOf((plan.SegmentBytes / plan.SingleFraction) + 1);
        Assert.True((plan.MaxSegments - 1) * smallestSingle >= shardBytes, "numbers for as many large entries as the share holds");
        Assert.True((plan.MaxSegments - 1) * (long)plan.SegmentBytes >= shardBytes, "numbers for as many shared segments as the share holds");
        Assert.True((long)plan.MaxSegments << plan.UnitBits <= 1L << 31, "addresses for all numbers");
    }
}
