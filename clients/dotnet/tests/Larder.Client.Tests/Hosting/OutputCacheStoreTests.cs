using System.Buffers;
using System.IO.Pipelines;
using System.Security.Cryptography;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Larder.Testing;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests the output cache store through its interface.</summary>
public sealed class OutputCacheStoreTests
{
    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task Output_cache_store_round_trips_pages_through_both_interfaces()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        LarderOutputCacheStore store = new(server.CreateClient(), new LarderOutputCacheOptions());
        Assert.Null(await store.GetAsync("none", default));
        await store.SetAsync("array", [1, 2], ["a", "b", "a"], Minute, default);
        await store.SetAsync("sequence", new ReadOnlySequence<byte>([3]), new[] { "a" }, Minute, default);
        await store.SetAsync("untagged", [], null, Minute, default);
        Assert.Equal([1, 2], await store.GetAsync("array", default));
        Assert.Empty((await store.GetAsync("untagged", default))!);
        Pipe pipe = new();
        Assert.True(await store.TryGetAsync("sequence", pipe.Writer));
        await pipe.Writer.CompleteAsync();
        Assert.Equal([3], (await pipe.Reader.ReadAsync()).Buffer.ToArray());
        Assert.False(await store.TryGetAsync("none", pipe.Writer));
    }

    [Fact]
    public async Task EvictByTag_writes_two_items_for_any_number_of_pages()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        CacheClient client = server.CreateClient();
        LarderOutputCacheStore store = new(client, new LarderOutputCacheOptions { KeyPrefix = "p:" });
        for (int i = 0; i < 100; i++)
        {
            await store.SetAsync($"{i}", [1], ["t"], Minute, default);
        }

        CacheValue before = Expect.Hit(await client.Cache("cache").GetAsync("p:tag:t"));
        Expect.Miss(await client.Cache("cache").GetAsync("p:evictions"));
        await store.EvictByTagAsync("t", default);
        CacheValue after = Expect.Hit(await client.Cache("cache").GetAsync("p:tag:t"));
        Assert.False(before.Span.SequenceEqual(after.Span));
        Expect.Hit(await client.Cache("cache").GetAsync("p:evictions"));
        Expect.Hit(await client.Cache("cache").GetAsync("p:page:7"));
        for (int i = 0; i < 100; i++)
        {
            Assert.Null(await store.GetAsync($"{i}", default));
        }

        // A page that is stored after an eviction does not restore evicted pages.
        await store.SetAsync("new", [2], ["t"], Minute, default);
        Assert.Equal([2], await store.GetAsync("new", default));
        Assert.Null(await store.GetAsync("7", default));
    }

    [Fact]
    public async Task Second_store_reads_pages_until_a_current_tag_is_evicted()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        LarderOutputCacheStore first = new(server.CreateClient(), new LarderOutputCacheOptions());
        LarderOutputCacheStore second = new(server.CreateClient(), new LarderOutputCacheOptions());
        await first.SetAsync("k", [1], ["a"], Minute, default);
        Assert.Equal([1], await second.GetAsync("k", default));
        await first.SetAsync("k", [2], ["b"], Minute, default);
        Assert.Equal([2], await second.GetAsync("k", default));
        await first.EvictByTagAsync("a", default);
        Assert.Equal([2], await second.GetAsync("k", default));
        await first.EvictByTagAsync("b", default);
        Assert.Null(await second.GetAsync("k", default));
        await first.SetAsync("k", [3], null, Minute, default);
        Assert.Equal([3], await second.GetAsync("k", default));
    }

    [Fact]
    public async Task Page_and_its_tags_expire_after_the_requested_duration()
    {
        ManualTime time = new();
        await using LarderTestServer server = await LarderTestServer.StartAsync(new LarderTestServerOptions { TimeProvider = time, MaxTtl = Minute });
        CacheClient client = server.CreateClient();
        LarderOutputCacheStore store = new(client, new LarderOutputCacheOptions(), time);
        await store.SetAsync("short", [1], ["t"], TimeSpan.FromSeconds(5), default);
        await store.SetAsync("long", [2], ["t"], TimeSpan.FromDays(400), default);
        await store.SetAsync("ended", [3], ["t"], TimeSpan.Zero, default);
        await store.SetAsync("before", [3], ["t"], TimeSpan.MinValue, default);
        Assert.Null(await store.GetAsync("ended", default));
        Assert.Null(await store.GetAsync("before", default));
        ManualServerTime.Advance(time, TimeSpan.FromSeconds(6), client);
        Assert.Null(await store.GetAsync("short", default));
        Assert.Equal([2], await store.GetAsync("long", default));
        ManualServerTime.Advance(time, Minute, client);
        Assert.Null(await store.GetAsync("long", default));
    }

    [Fact]
    public async Task Output_cache_store_rejects_invalid_arguments()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        CacheClient client = server.CreateClient();
        LarderOutputCacheStore store = new(client, new LarderOutputCacheOptions());
        await Assert.ThrowsAsync<ArgumentNullException>("key", () => store.GetAsync(null!, default).AsTask());
        await Assert.ThrowsAsync<ArgumentNullException>("key", () => store.SetAsync(null!, [1], null, Minute, default).AsTask());
        await Assert.ThrowsAsync<ArgumentNullException>("value", () => store.SetAsync("k", null!, null, Minute, default).AsTask());
        await Assert.ThrowsAsync<ArgumentNullException>("destination", () => store.TryGetAsync("k", null!).AsTask());
        await Assert.ThrowsAsync<ArgumentNullException>("tag", () => store.EvictByTagAsync(null!, default).AsTask());
        await Assert.ThrowsAsync<ArgumentException>("tags", () => store.SetAsync("k", [1], [null!], Minute, default).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => store.GetAsync("\ud800", default).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => store.SetAsync("k", [1], ["\ud800"], Minute, default).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => store.EvictByTagAsync("\ud800", default).AsTask());
        Assert.Throws<ArgumentException>(() => new LarderOutputCacheStore(client, new LarderOutputCacheOptions { CacheName = "" }));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => store.GetAsync("k", new CancellationToken(true)).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => store.SetAsync("k", [1], ["t"], Minute, new CancellationToken(true)).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => store.EvictByTagAsync("t", new CancellationToken(true)).AsTask());
        LarderOutputCacheStore nowhere = new(client, new LarderOutputCacheOptions { CacheName = "nowhere" });
        Assert.Equal(
            CacheErrorCode.NotFound, (await Assert.ThrowsAsync<CacheException>(() => nowhere.GetAsync("k", default).AsTask())).Error.Code);
    }

    [Theory]
    [InlineData(1_000, true)]
    [InlineData(1_001, false)]
    [InlineData(10_000, false)]
    public async Task Page_has_at_most_1000_tags(int count, bool isTaken)
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        LarderOutputCacheStore store = new(server.CreateClient(), new LarderOutputCacheOptions());
        string[] tags = [.. Enumerable.Range(0, count).Select(static i => $"tag {i}")];
        Task set = store.SetAsync("k", [1], tags, Minute, default).AsTask();
        if (isTaken)
        {
            await set;
            Assert.Equal([1], await store.GetAsync("k", default));
            await store.EvictByTagAsync("tag 999", default);
            Assert.Null(await store.GetAsync("k", default));
        }
        else
        {
            await Assert.ThrowsAsync<ArgumentException>("tags", () => set);
        }
    }

    [Fact]
    public async Task Output_cache_store_returns_null_for_malformed_page()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        CacheClient client = server.CreateClient();
        LarderOutputCacheStore store = new(client, new LarderOutputCacheOptions());
        byte[] good = TaggedPage.Write([9], ["t"], [RandomNumberGenerator.GetBytes(16)]);
        for (int length = 0; length < good.Length - 1; length++)
        {
            await client.Cache("cache").SetAsync("output:page:k", good.AsMemory(0, length));
            Assert.Null(await store.GetAsync("k", default));
        }

        foreach (byte[] strange in (byte[][])[[9], [3, 255, 255, 255, 255], [3, 127, 255, 255, 255], [3, 0, 0, 0, 1, 255, 255, 255, 255, 0]])
        {
            await client.Cache("cache").SetAsync("output:page:k", strange);
            Assert.Null(await store.GetAsync("k", default));
        }

        // An invalid value under a tag's key is not accepted as a tag generation.
        await client.Cache("cache").SetAsync("output:tag:t", "short");
        await store.SetAsync("tagged", [1], ["t"], Minute, default);
        Assert.Null(await store.GetAsync("tagged", default));
    }

    [Fact]
    public async Task EvictByTag_removes_existing_pages_while_other_pages_are_stored()
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        LarderOutputCacheStore store = new(server.CreateClient(), new LarderOutputCacheOptions());
        for (int round = 0; round < 50; round++)
        {
            await store.SetAsync("before", [1], ["t"], Minute, default);
            Task[] sets = [.. Enumerable.Range(0, 8).Select(i => store.SetAsync($"during {i}", [2], ["t"], Minute, default).AsTask())];
            await store.EvictByTagAsync("t", default);
            await Task.WhenAll(sets);
            Assert.Null(await store.GetAsync("before", default));
            await store.SetAsync("after", [3], ["t"], Minute, default);
            Assert.Equal([3], await store.GetAsync("after", default));
        }
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData("other", true)]
    [InlineData("t", false)]
    [InlineData("u", false)]
    [InlineData("t and its item is lost", false)]
    [InlineData("t and the counter is lost", false)]
    [InlineData("t before it", true)]
    public async Task Page_whose_tag_is_evicted_during_rendering_is_not_stored(string? evicted, bool isKept)
    {
        await using LarderTestServer server = await LarderTestServer.StartAsync();
        CacheClient client = server.CreateClient();
        ManualTime clock = new();
        LarderOutputCacheStore elsewhere = new(client, new LarderOutputCacheOptions(), clock);
        HttpContextAccessor requests = new() { HttpContext = new DefaultHttpContext() };
        LarderOutputCacheStore store = new(client, new LarderOutputCacheOptions(), requests: requests);
        await elsewhere.SetAsync("another", [1], ["t", "u"], Minute, default);
        await elsewhere.EvictByTagAsync("t", default);
        Assert.Null(await store.GetAsync("k", default));
        switch (evicted)
        {
            case null:
                await elsewhere.EvictByTagAsync("t", default);
                await elsewhere.EvictByTagAsync("u", default);
                break;
            case "t and its item is lost":
                await elsewhere.EvictByTagAsync("t", default);
                await client.Cache("cache").DeleteAsync("output:tag:t");
                break;
            case "t and the counter is lost":
                await client.Cache("cache").DeleteAsync("output:evictions");
                clock.Advance(TimeSpan.FromMicroseconds(1));
                await elsewhere.EvictByTagAsync("t", default);
                break;
            case "t before it":
                break;
            default:
                await elsewhere.EvictByTagAsync(evicted, default);
                break;
        }

        await store.SetAsync("k", [2], ["t", "u"], Minute, default);
        Assert.Equal(isKept ? [2] : null, await store.GetAsync("k", default));

        // A page that is stored after the eviction is kept. A page without tags is kept regardless of evictions.
        await store.SetAsync("k", [3], ["t", "u"], Minute, default);
        Assert.Equal([3], await store.GetAsync("k", default));
        requests.HttpContext = new DefaultHttpContext();
        Assert.Null(await store.GetAsync("untagged", default));
        await elsewhere.EvictByTagAsync("t", default);
        await store.SetAsync("untagged", [4], [], Minute, default);
        Assert.Equal([4], await store.GetAsync("untagged", default));
    }

    [Theory]
    [InlineData(10_000, 10_000)]
    [InlineData(10_001, 0)]
    [InlineData(100_000, 9_991)]
    public void KnownTags_remembers_at_most_10000_keys(int keys, int held)
    {
        KnownTags known = new();
        known.Note("first", ["t"]);
        known.Note("first", ["u"]);
        Assert.Equal(["u"], known.Of("first"));
        known.Note("first", []);
        known.Note("first", []);
        for (int i = 0; i < keys; i++)
        {
            known.Note($"{i}", ["t"]);
        }

        Assert.Equal(held, known.Count);
    }

    [Fact]
    public async Task AddLarderOutputCache_registers_store_before_or_after_AddOutputCache()
    {
        foreach (bool isFirst in (bool[])[true, false])
        {
            ServiceCollection services = new();
            services.AddLogging();
            if (isFirst)
            {
                services.AddLarderOutputCache(configureClient: static options => options.Url = "http://127.0.0.1:7777");
            }

            services.AddOutputCache();
            if (!isFirst)
            {
                services.AddLarderOutputCache(configureClient: static options => options.Url = "http://127.0.0.1:7777");
            }

            await using ServiceProvider provider = services.BuildServiceProvider();
            Assert.IsType<LarderOutputCacheStore>(provider.GetRequiredService<IOutputCacheStore>());
        }
    }
}
