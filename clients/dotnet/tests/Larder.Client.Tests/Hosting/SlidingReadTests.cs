using System.Security.Cryptography;
using System.Text;
using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests whether a read of an entry with sliding expiration extends the entry, and what the read returns if the extension fails.</summary>
public sealed class SlidingReadTests : IDisposable
{
    private static readonly DistributedCacheEntryOptions Sliding = new() { SlidingExpiration = TimeSpan.FromHours(20) };
    private static readonly DistributedCacheEntryOptions Short = new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) };

    private readonly string _tokens = Path.GetTempFileName();

    public void Dispose() => File.Delete(_tokens);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Sliding_read_does_not_extend_an_entry_replaced_during_read(bool isRefresh)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        LarderDistributedCache other = new(client, new LarderDistributedCacheOptions());
        // The hook runs when the clock is read, which is between the get and the refresh.
        HookedTime time = new();
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions(), time);
        await cache.SetAsync("k", [1], Sliding);
        time.Hook = () => other.Set("k", [1], Short);
        if (isRefresh)
        {
            await cache.RefreshAsync("k");
        }
        else
        {
            Assert.Equal([1], await cache.GetAsync("k"));
        }

        Assert.InRange(await TtlOf(client, "k"), TimeSpan.FromMinutes(59), TimeSpan.FromHours(1));
        Assert.Equal(0, cache.RefreshesFailed);
    }

    [Fact]
    public async Task Sliding_read_does_not_restore_an_entry_removed_during_read()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        LarderDistributedCache other = new(client, new LarderDistributedCacheOptions());
        HookedTime time = new();
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions(), time);
        await cache.SetAsync("k", [1], Sliding);
        time.Hook = () => other.Remove("k");
        Assert.Equal([1], await cache.GetAsync("k"));
        Assert.Null(await cache.GetAsync("k"));
    }

    [Fact]
    public async Task Sliding_entry_of_the_maximum_size_is_extended()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions());

        // The limit of LIM-1 is 4,883 KiB. It includes the key (1 byte), the header of a sliding entry (17 bytes) and the payload.
        byte[] payload = new byte[(4_883 * 1_024) - 1 - 17];
        await cache.SetAsync("k", payload, Sliding);
        await client.Cache("cache").DecreaseTtlAsync("k", TimeSpan.FromHours(1));
        Assert.Equal(payload.Length, (await cache.GetAsync("k"))?.Length);
        Assert.InRange(await TtlOf(client, "k"), TimeSpan.FromHours(19), TimeSpan.FromHours(20));
        Assert.Equal(0, cache.RefreshesFailed);
    }

    [Fact]
    public async Task Refresh_and_sliding_read_do_not_send_the_value()
    {
        const int ValueBytes = 2_000_000;
        await using RunningServer server = await RunningServer.StartAsync();
        await using CountingProxy proxy = new(server.Port);
        await using CacheClient direct = Connect(server);
        await using CacheClient counted = Connect(proxy.Port);
        await new LarderDistributedCache(direct, new LarderDistributedCacheOptions()).SetAsync("k", new byte[ValueBytes], Sliding);
        LarderDistributedCache cache = new(counted, new LarderDistributedCacheOptions());
        await direct.Cache("cache").DecreaseTtlAsync("k", TimeSpan.FromHours(1));
        await cache.RefreshAsync("k");
        Assert.InRange(await TtlOf(direct, "k"), TimeSpan.FromHours(19), TimeSpan.FromHours(20));

        // The refresh reads only the start of the value. With the connection setup and the headers, the proxy forwards a few hundred bytes.
        Assert.InRange(proxy.Bytes, 1, 10_000);
        await direct.Cache("cache").DecreaseTtlAsync("k", TimeSpan.FromHours(1));
        Assert.Equal(ValueBytes, (await cache.GetAsync("k"))?.Length);
        Assert.InRange(await TtlOf(direct, "k"), TimeSpan.FromHours(19), TimeSpan.FromHours(20));
        Assert.InRange(proxy.Bytes, ValueBytes, ValueBytes * 11 / 10);
    }

    [Fact]
    public async Task Refresh_does_not_extend_an_entry_past_its_absolute_expiration()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions());
        DistributedCacheEntryOptions both = new()
        {
            SlidingExpiration = Sliding.SlidingExpiration,
            AbsoluteExpirationRelativeToNow = Short.AbsoluteExpirationRelativeToNow,
        };
        await cache.SetAsync("k", [1], both);
        await client.Cache("cache").DecreaseTtlAsync("k", TimeSpan.FromMinutes(5));
        await cache.RefreshAsync("k");
        Assert.InRange(await TtlOf(client, "k"), TimeSpan.FromMinutes(55), TimeSpan.FromHours(1));
    }

    [Fact]
    public async Task Refresh_ignores_malformed_missing_and_non_sliding_entries()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions());
        await cache.SetAsync("absolute", [1], Short);
        await client.Cache("cache").SetAsync("foreign", "text", TimeSpan.FromHours(1));
        foreach (string key in new[] { "absolute", "foreign" })
        {
            await cache.RefreshAsync(key);
            Assert.InRange(await TtlOf(client, key), TimeSpan.FromMinutes(59), TimeSpan.FromHours(1));
        }

        await cache.RefreshAsync("missing");
        Assert.Null(await cache.GetAsync("missing"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Sliding_reads_succeed_with_readonly_token_and_log_one_failure(bool failOpen)
    {
        string[] entries =
        [
            .. new[] { ("reader", "read"), ("writer", "readwrite") }.Select(static each =>
            {
                string digest = Convert.ToHexStringLower(SHA256.HashData(Encoding.ASCII.GetBytes(each.Item1)));
                return $$"""{"id": "{{each.Item1}}", "sha256": ["{{digest}}"], "grants": [{"role": "{{each.Item2}}", "cache": "*"}]}""";
            }),
        ];
        await File.WriteAllTextAsync(_tokens, $$"""{"tokens": [{{string.Join(',', entries)}}]}""");
        await using RunningServer server = await RunningServer.StartAsync(tokens: _tokens);
        await using CacheClient writer = Connect(server, "writer");
        await using CacheClient reader = Connect(server, "reader");
        await new LarderDistributedCache(writer, new LarderDistributedCacheOptions()).SetAsync("k", [7], Sliding);
        LogLines log = new();
        LarderDistributedCacheOptions options = new() { FailOpen = failOpen };
        LarderDistributedCache cache = new(reader, options, logger: new LogLines<LarderDistributedCache>(log));
        Assert.Equal([7], await cache.GetAsync("k"));
        Assert.Equal([7], cache.Get("k"));
        Assert.Equal(2, cache.RefreshesFailed);
        Assert.Equal("PermissionDenied 1", Assert.Single(log.Recorded, static line => line.Event == "NotExtended").Fields("Code", "Reads"));
        Assert.Equal(CacheErrorCode.PermissionDenied, (await Assert.ThrowsAsync<CacheException>(() => cache.RefreshAsync("k"))).Error.Code);
        await new LarderDistributedCache(writer, new LarderDistributedCacheOptions()).SetAsync("absolute", [7], Short);
        await cache.RefreshAsync("absolute");
    }

    [Fact]
    public async Task Cancellation_while_extending_a_sliding_entry_throws()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = Connect(server);
        using CancellationTokenSource source = new();
        HookedTime time = new();
        LarderDistributedCache cache = new(client, new LarderDistributedCacheOptions(), time);
        await cache.SetAsync("k", [1], Sliding);
        time.Hook = source.Cancel;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.GetAsync("k", source.Token));
        Assert.Equal(0, cache.RefreshesFailed);
    }

    private static CacheClient Connect(RunningServer server, string token = "") => Connect(server.Port, token);

    private static CacheClient Connect(int port, string token = "") => new(
        Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) },
        CredentialProvider.Local(port: port).WithToken(token),
        TimeSpan.FromMinutes(1));

    private static async Task<TimeSpan> TtlOf(CacheClient client, string key) =>
        Expect.Hit(await client.Cache("cache").ItemGetTtlAsync(key));

    /// <summary>The system clock, which runs an action the next time it is read.</summary>
    private sealed class HookedTime : TimeProvider
    {
        private Action? _hook;

        public Action Hook
        {
            set => _hook = value;
        }

        public override DateTimeOffset GetUtcNow()
        {
            Interlocked.Exchange(ref _hook, null)?.Invoke();
            return base.GetUtcNow();
        }
    }
}
