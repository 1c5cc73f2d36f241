using Larder.Client.Tests.Support;

namespace Larder.Client.Tests;

public sealed class TagTests
{
    [Fact]
    public async Task RemoveByTag_removes_items_with_any_of_the_tags()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1());
        Cache cache = client.Cache("cache");
        Expect.Success(await cache.SetWithTagsAsync("a", "1", ["red", "blue"]));
        Expect.Success(await cache.SetWithTagsAsync("b", "2", ["blue"], TimeSpan.FromSeconds(50)));
        Expect.Hit(await cache.GetAsync("a"));
        Expect.Success(await cache.RemoveByTagAsync(["red", new byte[] { 0, 255 }]));
        Expect.Miss(await cache.GetAsync("a"));
        Expect.Hit(await cache.GetAsync("b"));
        Expect.Success(await cache.RemoveByTagAsync(["blue"]));
        Expect.Miss(await cache.GetAsync("b"));
    }

    [Fact]
    public async Task RemoveByTag_drops_near_copies_of_all_clients()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        Configuration near = Configurations.Laptop.V1() with { NearCache = new NearCache { MaxBytes = 1 << 20 } };
        await using CacheClient one = server.Connect(near);
        await using CacheClient other = server.Connect(near);
        await one.Cache("cache").SetWithTagsAsync("k", "v", ["red"]);
        foreach (CacheClient client in (CacheClient[])[one, other])
        {
            while (!client.Cache("cache").TryGetNear("k", out _))
            {
                Expect.Hit(await client.Cache("cache").GetAsync("k"));
            }
        }

        await one.Cache("cache").RemoveByTagAsync(["red"]);
        Assert.False(one.Cache("cache").TryGetNear("k", out _));
        Expect.Miss(await one.Cache("cache").GetAsync("k"));
        await Eventually.Holds(() => !other.Cache("cache").TryGetNear("k", out _), "the other's copy is gone");
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(129, 1)]
    [InlineData(1_280, 1)]
    [InlineData(1, 0)]
    [InlineData(1, 1_025)]
    [InlineData(1, 10_240)]
    public async Task Invalid_tag_count_or_length_is_rejected_before_any_call(int count, int bytes)
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        CacheBytes[] tags = [.. Enumerable.Range(0, count).Select(_ => (CacheBytes)new byte[bytes])];
        CacheError set = Expect.Error(await test.Cache.SetWithTagsAsync("k", "v", tags));
        CacheError removed = Expect.Error(await test.Cache.RemoveByTagAsync(tags));
        Assert.Equal((CacheErrorCode.InvalidArgument, CacheErrorCode.InvalidArgument, 0), (set.Code, removed.Code, test.Transport.Count));
    }

    [Fact]
    public async Task Null_tags_unpaired_surrogates_and_invalid_keys_are_rejected()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        foreach (CacheBytes[] tags in (CacheBytes[][])[null!, [default], ["\ud800"]])
        {
            Expect.Error(await test.Cache.RemoveByTagAsync(tags));
            Expect.Error(await test.Cache.SetWithTagsAsync("k", "v", tags));
        }

        Expect.Error(await test.Cache.SetWithTagsAsync("", "v", ["t"]));
        Expect.Error(await test.Client.Cache("").SetWithTagsAsync("k", "v", ["t"]));
        Expect.Error(await test.Cache.SetWithTagsAsync("k", default, ["t"]));
        Expect.Error(await test.Cache.SetWithTagsAsync("k", "v", ["t"], TimeSpan.Zero));
        Expect.Error(await test.Client.Cache("").RemoveByTagAsync(["t"]));
        Assert.Equal(0, test.Transport.Count);
    }
}
