using Google.Protobuf;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests expirations that exceed the server's maximum TTL (ADR-0110).</summary>
public sealed class TtlCapTests
{
    private static readonly TimeSpan Day = TimeSpan.FromHours(24);
    private static readonly TimeSpan Capped = TimeSpan.FromHours(22.5);

    private static readonly Dictionary<string, (DistributedCacheEntryOptions Options, TimeSpan Stored)> Expirations = new()
    {
        ["at the maximum"] = (new() { AbsoluteExpirationRelativeToNow = Day }, Day),
        ["just past the maximum"] = (new() { AbsoluteExpirationRelativeToNow = Day + TimeSpan.FromMilliseconds(1) }, Capped),
        ["ten times the maximum"] = (new() { AbsoluteExpirationRelativeToNow = 10 * Day }, Capped),
        ["past what a client sends"] = (new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromDays(366) }, Capped),
        ["longest time"] = (new() { AbsoluteExpirationRelativeToNow = TimeSpan.MaxValue }, Capped),
        ["last moment"] = (new() { AbsoluteExpiration = DateTimeOffset.MaxValue }, Capped),
        ["sliding"] = (new() { SlidingExpiration = TimeSpan.FromDays(14) }, Capped),
        ["longest sliding"] = (new() { SlidingExpiration = TimeSpan.MaxValue }, Capped),
        ["none"] = (new(), Day),
    };

    public static TheoryData<string> Names => [.. Expirations.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Expiration_over_the_maximum_is_capped(string name)
    {
        ManualTime time = new();
        await using RunningServer server = await RunningServer.StartAsync(time: time);
        await using CacheClient client = Connect(server);
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions(), time);
        (DistributedCacheEntryOptions options, TimeSpan stored) = Expirations[name];
        await cache.SetAsync("k", [1], options);
        Assert.Equal([1], await cache.GetAsync("k"));
        Assert.InRange(await TtlOf(client, "k"), stored - TimeSpan.FromMilliseconds(2), stored);
    }

    [Theory]
    [InlineData("__MSFT_HCT__news", 1_000)]
    [InlineData("app:v2:__fc:t:news", 10)]
    public async Task Tag_marker_gets_the_maximum_ttl(string key, int days)
    {
        ManualTime time = new();
        await using RunningServer server = await RunningServer.StartAsync(time: time);
        await using CacheClient client = Connect(server);
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions(), time);
        await cache.SetAsync(key, [1], new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromDays(days) });
        Assert.InRange(await TtlOf(client, key), Day - TimeSpan.FromMilliseconds(2), Day);
    }

    [Fact]
    public async Task Maximum_ttl_below_the_default_is_learned_from_a_rejection()
    {
        ManualTime time = new();
        await using RunningServer server = await RunningServer.StartAsync(maxTtl: TimeSpan.FromHours(16), time: time);
        await using CacheClient client = Connect(server);
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions(), time);
        await cache.SetAsync("k", [1], new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromHours(20) });
        Assert.InRange(await TtlOf(client, "k"), TimeSpan.FromHours(14.9), TimeSpan.FromHours(15));

        // Another process, which has not fetched the maximum TTL yet, now extends the entry.
        await client.Cache("cache").DecreaseTtlAsync("k", TimeSpan.FromHours(1));
        LarderDistributedCache other = new(client, new LarderDistributedCacheOptions(), time);
        Assert.Equal([1], await other.GetAsync("k"));
        Assert.InRange(await TtlOf(client, "k"), TimeSpan.FromHours(14.9), TimeSpan.FromHours(15));
        Assert.Equal(0, other.RefreshesFailed);
    }

    [Fact]
    public async Task Capped_ttls_are_logged_hourly_except_for_tag_markers()
    {
        ManualTime time = new();
        LogLines log = new();
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions(), time, new LogLines<LarderDistributedCache>(log));
        DistributedCacheEntryOptions week = new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromDays(7) };
        await cache.SetAsync("__MSFT_HCT__news", [1], week);
        Assert.Empty(log.Lines);
        for (int i = 0; i < 3; i++)
        {
            await cache.SetAsync("k", [1], week);
        }

        Assert.Equal("7.00:00:00 22:30:00 1", Assert.Single(log.Recorded).Fields("Asked", "Stored", "Entries"));
        time.Advance(TimeSpan.FromHours(1));
        await cache.SetAsync("k", [1], week);
        Assert.Equal("3", log.Recorded.Last().Fields("Entries"));
    }

    [Fact]
    public async Task Maximum_ttl_is_requested_again_after_ten_seconds()
    {
        await using TestClient test = new(Configurations.Laptop.V1() with { MaxRetries = 0 });
        MaxTtlCache longest = new(test.Client, "cache", test.Time);
        Task<(TimeSpan Ttl, CacheError? Error)> first = longest.CapAsync(7 * Day, isMarker: true, isRefused: false, default).AsTask();
        test.Transport.Answer(Listed(Day));
        Assert.Equal(Day, (await first).Ttl);

        test.Time.Advance(MaxTtlCache.FreshFor);
        Assert.Equal(Day, (await longest.CapAsync(7 * Day, isMarker: true, isRefused: false, default)).Ttl);
        Assert.Equal(0, test.Transport.Count);

        test.Time.Advance(TimeSpan.FromMilliseconds(1));
        Task<(TimeSpan Ttl, CacheError? Error)> later = longest.CapAsync(7 * Day, isMarker: true, isRefused: false, default).AsTask();
        test.Transport.Answer(Listed(30 * Day));
        Assert.Equal(7 * Day, (await later).Ttl);
    }

    private static byte[] Listed(TimeSpan maxTtl) => new Protocol.ListCachesResponse
    {
        Caches = { new Protocol.CacheInfo { Name = "cache", CacheLimits = new Protocol.CacheLimits { MaxTtlSeconds = (ulong)maxTtl.TotalSeconds } } },
    }.ToByteArray();

    private static CacheClient Connect(RunningServer server) => server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });

    private static async Task<TimeSpan> TtlOf(CacheClient client, string key) =>
        Expect.Hit(await client.Cache("cache").ItemGetTtlAsync(key));
}
