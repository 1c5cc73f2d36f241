using System.Buffers;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.Client.Tests.Hosting;

public sealed class DistributedCacheTests
{
    [Fact]
    public async Task Distributed_cache_sets_reads_and_removes_entries()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions { KeyPrefix = "app:" });
        Assert.Null(await cache.GetAsync("k"));
        await cache.SetAsync("k", "value"u8.ToArray(), new DistributedCacheEntryOptions());
        Assert.Equal("value"u8.ToArray(), await cache.GetAsync("k"));
        ArrayBufferWriter<byte> written = new();
        Assert.True(await cache.TryGetAsync("k", written));
        Assert.Equal("value"u8.ToArray(), written.WrittenSpan.ToArray());
        Assert.Equal("value"u8.ToArray(), cache.Get("k"));
        Expect.Success(await client.Cache("cache").KeyExistsAsync("app:k"));
        await cache.RemoveAsync("k");
        Assert.False(await cache.TryGetAsync("k", written));
    }

    [Fact]
    public async Task Entry_without_expiration_uses_the_server_maximum_ttl()
    {
        await using RunningServer server = await RunningServer.StartAsync(maxTtl: TimeSpan.FromDays(30));
        await using CacheClient client = Connect(server);
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions());
        await cache.SetAsync("plain", [1], new DistributedCacheEntryOptions());
        await cache.SetAsync("week", [1], new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromDays(7) });
        Assert.InRange(await TtlOf(client, "plain"), TimeSpan.FromDays(29), TimeSpan.FromDays(30));
        Assert.InRange(await TtlOf(client, "week"), TimeSpan.FromDays(6), TimeSpan.FromDays(7));
    }

    [Fact]
    public async Task Reads_extend_a_sliding_entry_until_its_absolute_expiration()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        ManualTime time = new();
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions(), time);
        await cache.SetAsync(
            "k",
            [7],
            new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromHours(1), AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(2) });
        Assert.InRange(await TtlOf(client, "k"), TimeSpan.FromMinutes(59), TimeSpan.FromHours(1));

        await client.Cache("cache").DecreaseTtlAsync("k", TimeSpan.FromMinutes(10));
        Assert.Equal([7], await cache.GetAsync("k"));
        Assert.InRange(await TtlOf(client, "k"), TimeSpan.FromMinutes(59), TimeSpan.FromHours(1));

        time.Advance(TimeSpan.FromMinutes(90));
        await cache.RefreshAsync("k");
        Assert.InRange(await TtlOf(client, "k"), TimeSpan.FromMinutes(29), TimeSpan.FromMinutes(30));

        time.Advance(TimeSpan.FromMinutes(31));
        Assert.Null(await cache.GetAsync("k"));
    }

    [Fact]
    public async Task Distributed_cache_returns_null_for_value_of_another_format()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        await client.Cache("cache").SetAsync("k", "\u0001 not ours");
        Assert.Null(await new LarderDistributedCache(client, new LarderDistributedCacheOptions()).GetAsync("k"));
    }

    [Fact]
    public async Task Cache_failure_throws_CacheException_and_cancellation_throws_OperationCanceledException()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions { CacheName = "nope" });
        Assert.Equal(CacheErrorCode.NotFound, (await Assert.ThrowsAsync<CacheException>(() => cache.GetAsync("k"))).Error.Code);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.GetAsync("k", new CancellationToken(true)));
    }

    private static CacheClient Connect(RunningServer server) => server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });

    private static async Task<TimeSpan> TtlOf(CacheClient client, string key) =>
        Expect.Hit(await client.Cache("cache").ItemGetTtlAsync(key));
}
