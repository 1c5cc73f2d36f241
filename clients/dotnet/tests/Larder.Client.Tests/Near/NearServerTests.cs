using System.Globalization;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Larder.Harness.Proxies;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests.Near;

/// <summary>Tests the near cache with real clients and the real server.</summary>
public sealed class NearServerTests
{
    [Fact]
    public async Task Client_reads_its_own_writes_with_near_cache()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = await ConnectAsync(server);
        for (int number = 0; number < 1_000; number++)
        {
            string value = number.ToString(CultureInfo.InvariantCulture);
            Expect.Success(await client.Cache("cache").SetAsync("k", value));
            Assert.Equal(value, await ReadAsync(client, "k"));
            Assert.Equal(value, await ReadAsync(client, "k"));
        }

        Assert.True(client.NearCache!.Hits > 0);
    }

    [Fact]
    public async Task Changes_by_another_client_drop_the_near_copy()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = await ConnectAsync(server);
        await using CacheClient other = server.Connect(Configurations.Laptop.V1());
        foreach (Func<Task> change in new Func<Task>[]
        {
            async () => Expect.Success(await other.Cache("cache").SetAsync("k", "v2")),
            async () => Expect.Success(await other.Cache("cache").IncrementAsync("k", 1)),
            async () => Assert.True(Expect.Hit(await other.Cache("cache").UpdateTtlAsync("k", TimeSpan.FromSeconds(10)))),
            async () => Expect.Success(await other.Cache("cache").DeleteAsync("k")),
            async () => Expect.Success(await other.FlushCacheAsync("cache")),
        })
        {
            Expect.Success(await client.Cache("cache").SetAsync("k", "1"));
            Assert.Equal("1", await ReadAsync(client, "k"));
            Assert.True(client.Cache("cache").TryGetNear("k", out _));
            await change();
            await Eventually.Holds(() => !client.Cache("cache").TryGetNear("k", out _), "the copy is dropped");
        }

        Assert.Equal((4, 1), (client.NearCache!.Invalidations, client.NearCache.Clears));
    }

    [Fact]
    public async Task Expired_near_copy_is_not_served()
    {
        ManualTime time = new();
        await using RunningServer server = await RunningServer.StartAsync(time: time);
        await using CacheClient client = await ConnectAsync(server, time: time);
        await client.Cache("cache").SetAsync("k", "v1", TimeSpan.FromMilliseconds(1_500));
        Assert.Equal("v1", await ReadAsync(client, "k"));
        // The server reports a TTL in whole milliseconds, rounded down. So the copy may expire slightly early.
        time.AdvanceMs(1_490);
        Assert.True(client.Cache("cache").TryGetNear("k", out _));
        time.AdvanceMs(10);
        Assert.False(client.Cache("cache").TryGetNear("k", out _));
    }

    [Fact]
    public async Task Near_copies_are_served_until_lease_ends_on_silent_connection()
    {
        ManualTime time = new();
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = await ConnectAsync(server, proxy.Port, time);
        await client.Cache("cache").SetAsync("k", "v1");
        Assert.Equal("v1", await ReadAsync(client, "k"));
        proxy.LoseAll();
        await using CacheClient other = server.Connect(Configurations.Laptop.V1());
        await other.Cache("cache").SetAsync("k", "v2");
        time.AdvanceMs(2_999);
        Assert.Equal("v1", await ReadAsync(client, "k"));
        time.AdvanceMs(1);
        Assert.False(client.Cache("cache").TryGetNear("k", out _));
    }

    [Fact]
    public async Task Reset_connection_drops_near_copies_and_a_new_stream_opens()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using FaultProxy proxy = new(server.Port);
        await using CacheClient client = await ConnectAsync(server, proxy.Port);
        await client.Cache("cache").SetAsync("k", "v1");
        for (int reset = 0; reset < 3; reset++)
        {
            await Eventually.Holds(() => client.NearReads!.Stream is not null, "there is a near stream");
            Assert.Equal("v1", await ReadAsync(client, "k"));
            Assert.True(client.Cache("cache").TryGetNear("k", out _));
            long number = client.NearReads!.Stream!.Number;
            proxy.ResetAll();
            await Eventually.Holds(() => client.NearReads.Stream?.Number != number, "the stream is lost");
            Assert.False(client.Cache("cache").TryGetNear("k", out _));
        }
    }

    [Fact]
    public async Task Value_over_64_KiB_is_returned_without_a_near_copy()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = await ConnectAsync(server);
        await using CacheClient other = server.Connect(Configurations.Laptop.V1());
        foreach ((int length, bool isKept) in new[] { (65_000, true), (65_537, false), (1 << 20, false) })
        {
            await other.Cache("cache").SetAsync("k", new byte[length]);
            await Eventually.Holds(() => !client.Cache("cache").TryGetNear("k", out _), "what was there is dropped");
            Assert.Equal(length, Expect.Hit(await client.Cache("cache").GetAsync("k")).Length);
            Assert.Equal(isKept, client.Cache("cache").TryGetNear("k", out _));
        }
    }

    [Fact]
    public async Task Key_that_becomes_a_collection_has_no_near_copy()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = await ConnectAsync(server);
        await using CacheClient other = server.Connect(Configurations.Laptop.V1());
        await client.Cache("cache").SetAsync("k", "v1");
        Assert.Equal("v1", await ReadAsync(client, "k"));
        await other.Cache("cache").DeleteAsync("k");
        Expect.Success(await other.Cache("cache").DictionarySetFieldAsync("k", "field", "value"));
        await Eventually.Holds(() => !client.Cache("cache").TryGetNear("k", out _), "the copy is dropped");
        Assert.False((await client.Cache("cache").GetAsync("k")).IsHit);
        Assert.False(client.Cache("cache").TryGetNear("k", out _));
    }

    [Fact]
    public async Task Near_cache_stays_within_MaxBytes()
    {
        const long most = 64 << 10;
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = await ConnectAsync(server, setting: new NearCache { MaxBytes = most });
        Random random = new(1);
        for (int key = 0; key < 1_000; key++)
        {
            await client.Cache("cache").SetAsync($"key-{key}", new byte[random.Next(0, 4_000)]);
        }

        for (int read = 0; read < 5_000; read++)
        {
            Expect.Hit(await client.Cache("cache").GetAsync($"key-{(int)(1_000 * random.NextDouble() * random.NextDouble())}"));
            Assert.InRange(client.NearCache!.Bytes, 0, most);
        }

        client.NearReads!.State.AssertValid();
        Assert.True(client.NearCache!.Evictions > 0);
    }

    [Fact]
    public async Task Concurrent_near_reads_never_go_back_to_an_older_value()
    {
        const int keys = 20;
        const int callsEach = 500;
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = await ConnectAsync(server);
        await using CacheClient other = await ConnectAsync(server);
        long[][] seen = [new long[keys], new long[keys]];
        await Task.WhenAll(Enumerable.Range(0, 100).Select(caller => Task.Run(() => CallAsync(caller)))).WaitAsync(Eventually.Limit);
        Assert.True(client.NearCache!.Hits > 0 && client.NearCache.Invalidations > 0);
        await Eventually.Holds(() => client.NearReads!.State.InFlight + other.NearReads!.State.InFlight == 0, "nothing is in flight");
        client.NearReads!.State.AssertValid();
        other.NearReads!.State.AssertValid();

        async Task CallAsync(int caller)
        {
            CacheClient mine = caller % 2 == 0 ? client : other;
            long[] seenHere = seen[caller % 2];
            Random random = new(caller);
            for (int call = 0; call < callsEach; call++)
            {
                int key = random.Next(keys);
                long atLeast = Volatile.Read(ref seenHere[key]);
                long found = random.Next(20) == 0
                    ? Expect.Success(await mine.Cache("cache").IncrementAsync($"key-{key}"))
                    : Number(await mine.Cache("cache").GetAsync($"key-{key}"));
                Assert.True(found >= atLeast, $"{found} after {atLeast} of key {key}");
                Raise(ref seenHere[key], found);
            }
        }

        static long Number(LookupResult<CacheValue> answer) => answer switch
        {
            { IsHit: true } hit => long.Parse(hit.Value.Text, CultureInfo.InvariantCulture),
            { IsMiss: true } => 0,
            _ => throw new InvalidOperationException(answer.ToString()),
        };
    }

    private static void Raise(ref long most, long seen)
    {
        long before = Volatile.Read(ref most);
        while (seen > before)
        {
            long found = Interlocked.CompareExchange(ref most, seen, before);
            before = found == before ? seen : found;
        }
    }

    private static async Task<CacheClient> ConnectAsync(RunningServer server, int? port = null, TimeProvider? time = null, NearCache? setting = null)
    {
        CacheClient client = new(
            NearScript.Configured(setting),
            CredentialProvider.Local(port: port ?? server.Port),
            TimeSpan.FromMinutes(1),
            NullLogger.Instance,
            time ?? TimeProvider.System,
            null);
        Expect.Success(await Eventually.Within(client.ConnectAsync()));
        await Eventually.Holds(() => client.NearReads!.Stream is not null, "there is a near stream");
        return client;
    }

    private static async Task<string> ReadAsync(CacheClient client, string key) =>
        Expect.Hit(await Eventually.Within(client.Cache("cache").GetAsync(key))).Text;
}
