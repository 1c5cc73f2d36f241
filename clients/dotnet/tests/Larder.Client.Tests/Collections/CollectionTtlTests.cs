using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Collections;

public sealed class CollectionTtlTests
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    [Fact]
    public void CollectionTtl_refreshes_the_ttl_by_default()
    {
        Assert.Equal((null, true), PartsOf(CollectionTtl.FromCacheTtl()));
        Assert.Equal((null, true), PartsOf(default));
        Assert.Equal((s_hour, true), PartsOf(CollectionTtl.Of(s_hour)));
        Assert.Equal((s_hour, true), PartsOf(s_hour));
        Assert.Equal((s_hour, false), PartsOf(CollectionTtl.Of(s_hour).WithNoRefreshTtlOnUpdates()));
        Assert.Equal((s_hour, true), PartsOf(CollectionTtl.Of(s_hour).WithNoRefreshTtlOnUpdates().WithRefreshTtlOnUpdates()));
        Assert.Equal((null, false), PartsOf(CollectionTtl.FromCacheTtl().WithNoRefreshTtlOnUpdates()));
        Assert.Equal(CollectionTtl.Of(s_hour), CollectionTtl.FromTimeSpan(s_hour));
        Assert.NotEqual(CollectionTtl.Of(s_hour), CollectionTtl.Of(s_hour).WithNoRefreshTtlOnUpdates());

        static (TimeSpan?, bool) PartsOf(CollectionTtl ttl) => (ttl.Ttl, ttl.RefreshTtl);
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task CTTL_1_and_2_first_write_sets_ttl_and_later_writes_may_refresh_it(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        CollectionTtl kept = CollectionTtl.Of(s_hour * 5).WithNoRefreshTtlOnUpdates();
        (string Name, Func<CollectionTtl?, Task> Write)[] writes =
        [
            ("d", async ttl => Expect.Success(await cache.DictionarySetFieldAsync("d", "f", "v", ttl))),
            ("di", async ttl => Expect.Success(await cache.DictionaryIncrementAsync("di", "f", 1, ttl))),
            ("s", async ttl => Expect.Success(await cache.SetAddElementAsync("s", "e", ttl))),
            ("lf", async ttl => Expect.Success(await cache.ListPushFrontAsync("lf", "e", ttl: ttl))),
            ("lb", async ttl => Expect.Success(await cache.ListPushBackAsync("lb", "e", ttl: ttl))),
            ("cf", async ttl => Expect.Success(await cache.ListConcatenateFrontAsync("cf", ["e"], ttl: ttl))),
            ("cb", async ttl => Expect.Success(await cache.ListConcatenateBackAsync("cb", ["e"], ttl: ttl))),
            ("z", async ttl => Expect.Success(await cache.SortedSetPutElementAsync("z", "e", 1, ttl))),
            ("zi", async ttl => Expect.Success(await cache.SortedSetIncrementAsync("zi", "e", 1, ttl))),
        ];
        foreach ((string name, Func<CollectionTtl?, Task> write) in writes)
        {
            await write(kept);
            Assert.InRange(await fixture.RemainingAsync(name), s_hour * 4, s_hour * 5);
            await write(CollectionTtl.Of(s_hour).WithNoRefreshTtlOnUpdates());
            Assert.InRange(await fixture.RemainingAsync(name), s_hour * 4, s_hour * 5);
            await write(s_hour);
            Assert.InRange(await fixture.RemainingAsync(name), TimeSpan.FromMinutes(50), s_hour);
            await write(null);
            Assert.InRange(await fixture.RemainingAsync(name), TimeSpan.Zero, fixture.Client.DefaultTtl);
        }
    }

    [Theory]
    [InlineData(Transport.Unary)]
    [InlineData(Transport.Pipeline)]
    public async Task CTTL_3_and_5_ListRetain_keeps_ttl_but_SortedSetUnionStore_sets_it(Transport transport)
    {
        await using CollectionFixture fixture = await CollectionFixture.StartAsync(transport);
        Cache cache = fixture.Cache;
        await cache.ListConcatenateBackAsync("l", ["a", "b", "c"], ttl: s_hour * 5);
        Expect.Hit(await cache.ListRetainAsync("l", end: 2));
        Assert.InRange(await fixture.RemainingAsync("l"), s_hour * 4, s_hour * 5);
        Expect.Hit(await cache.ListRetainAsync("l", end: 1, ttl: s_hour));
        Assert.InRange(await fixture.RemainingAsync("l"), TimeSpan.FromMinutes(50), s_hour);
        await cache.SortedSetPutElementAsync("z", "a", 1, s_hour * 5);
        Expect.Success(await cache.SortedSetUnionStoreAsync("z", [new("z")], ttl: s_hour));
        Assert.InRange(await fixture.RemainingAsync("z"), TimeSpan.FromMinutes(50), s_hour);
        Expect.Success(await cache.SortedSetUnionStoreAsync("z", [new("z")]));
        Assert.InRange(await fixture.RemainingAsync("z"), TimeSpan.Zero, fixture.Client.DefaultTtl);
    }
}
