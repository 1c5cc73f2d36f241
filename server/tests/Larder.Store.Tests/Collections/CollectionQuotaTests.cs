using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

public sealed class CollectionQuotaTests
{
    [Fact]
    public void Collection_elements_count_against_cache_quota()
    {
        using StoreFixture fixture = new(64L << 20, shards: 4);
        long quota = fixture.Store.MinQuotaBytes;
        Assert.True(fixture.Store.CreateCache("small", quota));
        Cache small = fixture.Store.Find("small")!;
        byte[] value = new byte[10_000];
        for (int i = 0; i < 4 * quota / value.Length; i++)
        {
            CollectionBatch elements = new(value, [new CollectionItem(0, value.Length)]);
            small.ListPush(BitConverter.GetBytes(i % 1000), elements, ListEnd.Back, 0, new CollectionTtl(StoreFixture.Hour, Refresh: true), out _);
        }

        CacheStatistics statistics = fixture.Store.GetStatistics().Caches.Single(cache => cache.Name == "small");
        Assert.InRange(statistics.Bytes, quota / 2, quota);
        Assert.True(statistics.Evictions.Quota > 0);
    }
}
