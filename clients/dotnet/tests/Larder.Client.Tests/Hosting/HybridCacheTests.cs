using System.Buffers;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Larder.Client.Tests.Hosting;

/// <summary>
/// Tests .NET's HybridCache with a server: the default implementation on the distributed cache and, in the tests for both, Larder's own. Each process has its
/// own local memory, and all processes share the entries of the server.
/// </summary>
public sealed class HybridCacheTests
{
    private sealed record Order(int Id, string Text);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HybridCache_value_created_by_one_process_is_read_by_another(bool isLarder)
    {
        await using World world = await World.StartAsync(isLarder);
        Assert.Equal(new Order(1, "one"), await world.First.GetOrMakeAsync("k", new Order(1, "one")));
        await world.First.StoredAsync("k");
        Assert.Equal(new Order(1, "one"), await world.Second.GetOrMakeAsync("k", new Order(2, "two")));
        Assert.Equal("text", await world.First.GetOrMakeAsync("text", "text"));
        await world.First.StoredAsync("text");
        Assert.Equal("text", await world.Second.GetOrMakeAsync("text", "other"));
        Assert.Equal([1, 2], await world.First.GetOrMakeAsync<byte[]>("bytes", [1, 2]));
        await world.First.StoredAsync("bytes");
        Assert.Equal([1, 2], await world.Second.GetOrMakeAsync<byte[]>("bytes", [3]));
        Assert.Equal((3, 0), (world.First.Made, world.Second.Made));
    }

    [Fact]
    public async Task HybridCache_second_read_is_served_from_local_memory()
    {
        await using World world = await World.StartAsync();
        await world.First.GetOrMakeAsync("k", 1);
        await world.First.StoredAsync("k");
        await world.First.Client.FlushCacheAsync("cache");
        Assert.Equal(1, await world.First.GetOrMakeAsync("k", 2));
        world.First.ForgetLocal();
        Assert.Equal(3, await world.First.GetOrMakeAsync("k", 3));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HybridCache_concurrent_callers_create_one_value(bool isLarder)
    {
        await using World world = await World.StartAsync(isLarder);
        TaskCompletionSource release = new();
        int made = 0;
        Task<int>[] callers = [.. Enumerable.Range(0, 100).Select(_ => world.First.Cache.GetOrCreateAsync(
            "k",
            async _ =>
            {
                await release.Task;
                return Interlocked.Increment(ref made);
            }).AsTask())];
        release.SetResult();
        Assert.All(await Task.WhenAll(callers), static value => Assert.Equal(1, value));
        Assert.Equal(1, made);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HybridCache_factory_exception_reaches_caller_and_stores_nothing(bool isLarder)
    {
        await using World world = await World.StartAsync(isLarder);
        InvalidOperationException thrown = await Assert.ThrowsAsync<InvalidOperationException>(
            () => world.First.Cache.GetOrCreateAsync<int>("k", static _ => throw new InvalidOperationException("The factory.")).AsTask());
        Assert.Equal("The factory.", thrown.Message);
        Assert.Equal(2, await world.First.GetOrMakeAsync("k", 2));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HybridCache_set_and_remove_apply_to_both_layers(bool isLarder)
    {
        await using World world = await World.StartAsync(isLarder);
        await world.First.Cache.SetAsync("k", "old");
        await world.First.Cache.SetAsync("k", "new");
        Assert.Equal("new", await world.Second.GetOrMakeAsync("k", "made"));
        await world.First.Cache.RemoveAsync("k");
        Assert.Equal("made", await world.First.GetOrMakeAsync("k", "made"));
        await world.First.StoredAsync("k");
        await world.First.Cache.RemoveAsync(["k", "none"]);
        world.Second.ForgetLocal();
        Assert.Equal("again", await world.Second.GetOrMakeAsync("k", "again"));
        await world.First.Cache.RemoveAsync("none");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HybridCache_flags_disable_either_layer(bool isLarder)
    {
        await using World world = await World.StartAsync(isLarder);
        HybridCacheEntryOptions local = new() { Flags = HybridCacheEntryFlags.DisableDistributedCache };
        HybridCacheEntryOptions distributed = new() { Flags = HybridCacheEntryFlags.DisableLocalCache };
        await world.First.GetOrMakeAsync("local", 1, local);
        Assert.Equal(2, await world.Second.GetOrMakeAsync("local", 2, local));
        await world.First.GetOrMakeAsync("distributed", 1, distributed);
        await world.First.StoredAsync("distributed");
        await world.First.Client.FlushCacheAsync("cache");
        Assert.Equal(3, await world.First.GetOrMakeAsync("distributed", 3, distributed));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HybridCache_Expiration_option_limits_lifetime_on_the_server(bool isLarder)
    {
        await using World world = await World.StartAsync(isLarder);
        HybridCacheEntryOptions minute = new() { Expiration = TimeSpan.FromMinutes(1), Flags = HybridCacheEntryFlags.DisableLocalCache };
        await world.First.GetOrMakeAsync("k", 1, minute);
        await world.First.StoredAsync("k");
        world.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal(1, await world.Second.GetOrMakeAsync("k", 2, minute));
        world.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(3, await world.Second.GetOrMakeAsync("k", 3, minute));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HybridCache_RemoveByTag_removes_only_entries_with_that_tag(bool isLarder)
    {
        await using World world = await World.StartAsync(isLarder);
        await world.First.GetOrMakeAsync("a", "a1", tags: ["news", "home"]);
        await world.First.GetOrMakeAsync("b", "b1", tags: ["home"]);
        await world.First.GetOrMakeAsync("c", "c1");
        byte[] before = await world.First.StoredAsync("a");
        await world.First.StoredAsync("b");
        world.Advance(TimeSpan.FromMilliseconds(10));
        await world.First.Cache.RemoveByTagAsync("news");
        world.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal("b1", await world.First.GetOrMakeAsync("b", "b2", tags: ["home"]));
        Assert.Equal("c1", await world.First.GetOrMakeAsync("c", "c2"));
        // A process that has not used the tag before reads the tag's removal from the server.
        Assert.Equal("a2", await world.Second.GetOrMakeAsync("a", "a2", tags: ["news", "home"]));
        Assert.Equal("b1", await world.Second.GetOrMakeAsync("b", "b2", tags: ["home"]));
        await world.Second.StoredAsync("a", before);
        Assert.Equal("a2", await world.First.GetOrMakeAsync("a", "a3", tags: ["news", "home"]));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HybridCache_RemoveByTag_accepts_several_tags_and_the_wildcard_tag(bool isLarder)
    {
        await using World world = await World.StartAsync(isLarder);
        await world.First.GetOrMakeAsync("a", 1, tags: ["x"]);
        await world.First.GetOrMakeAsync("b", 1, tags: ["y"]);
        await world.First.GetOrMakeAsync("c", 1);
        world.Advance(TimeSpan.FromMilliseconds(10));
        await world.First.Cache.RemoveByTagAsync(["x", "y"]);
        world.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal((2, 2, 1), (await Read("a", 2, "x"), await Read("b", 2, "y"), await Read("c", 2, null)));
        world.Advance(TimeSpan.FromMilliseconds(10));
        await world.First.Cache.RemoveByTagAsync("*");
        world.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal((3, 3, 3), (await Read("a", 3, "x"), await Read("b", 3, "y"), await Read("c", 3, null)));

        async Task<int> Read(string key, int value, string? tag) => await world.First.GetOrMakeAsync(key, value, tags: tag is null ? null : [tag]);
    }

    [Fact]
    public async Task HybridCache_tag_marker_uses_the_server_maximum_ttl()
    {
        await using RunningServer server = await RunningServer.StartAsync(maxTtl: TimeSpan.FromDays(3));
        await using HybridProcess process = new(server.Port, TimeProvider.System);
        await process.Cache.RemoveByTagAsync("news");
        TimeSpan mark = Expect.Hit(await process.Client.Cache("cache").ItemGetTtlAsync("__MSFT_HCT__news"));
        Assert.InRange(mark, TimeSpan.FromDays(2.9), TimeSpan.FromDays(3));
        await process.Distributed.SetAsync("other", [1], new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromDays(1_000) });
        TimeSpan other = Expect.Hit(await process.Client.Cache("cache").ItemGetTtlAsync("other"));
        Assert.True(other < mark);
    }

    [Fact]
    public async Task HybridCache_tag_removal_outlasts_entries_stored_with_maximum_ttl()
    {
        await using World world = await World.StartAsync();
        HybridCacheEntryOptions week = new() { Expiration = TimeSpan.FromDays(7), Flags = HybridCacheEntryFlags.DisableLocalCache };
        await world.First.GetOrMakeAsync("a", "a1", week, ["news"]);
        await world.First.StoredAsync("a");
        world.Advance(TimeSpan.FromMilliseconds(10));
        await world.First.Cache.RemoveByTagAsync("news");
        // The latest time at which the server could still contain the entry.
        world.Advance(MaxTtlCache.EntryCap(TimeSpan.FromHours(24)) - TimeSpan.FromMilliseconds(20));
        Assert.NotNull(await world.Second.Distributed.GetAsync("a"));
        Assert.Equal("a2", await world.Second.GetOrMakeAsync("a", "a2", week, ["news"]));
    }

    [Theory]
    [InlineData(900, true, false)]
    [InlineData(1_001, false, false)]
    [InlineData(10_000, false, false)]
    [InlineData(1_000, true, true)]
    [InlineData(1_001, false, true)]
    [InlineData(10_000, false, true)]
    public async Task HybridCache_payload_over_MaximumPayloadBytes_is_not_stored(int bytes, bool isKept, bool isLarder)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using HybridProcess process = new(
            server.Port,
            TimeProvider.System,
            configureHybrid: static options => options.MaximumPayloadBytes = 1_000,
            isLarder: isLarder,
            configureLarder: static options => options.MaximumPayloadBytes = 1_000);
        byte[] value = new byte[bytes];
        Assert.Equal(value, await process.GetOrMakeAsync("k", value));
        if (isKept)
        {
            await process.StoredAsync("k");
        }

        process.ForgetLocal();
        Assert.Equal(value, await process.GetOrMakeAsync("k", value));
        Assert.Equal(isKept ? 1 : 2, process.Made);
        Assert.Equal(isKept, await process.Client.Cache("cache").KeyExistsAsync(isLarder ? "hybrid:k" : "k") is { IsSuccess: true, Value: true });
    }

    [Fact]
    public async Task HybridCache_payload_over_the_server_limit_stays_in_local_memory()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using HybridProcess process = new(server.Port, TimeProvider.System, configureHybrid: static options => options.MaximumPayloadBytes = 64 << 20);
        foreach (int bytes in (int[])[5_000_192, 12_000_000])
        {
            string key = "k" + bytes;
            Assert.Equal(bytes, (await process.GetOrMakeAsync(key, new byte[bytes])).Length);
            Assert.Equal(bytes, (await process.GetOrMakeAsync(key, Array.Empty<byte>())).Length);
            process.ForgetLocal();
            Assert.Empty(await process.GetOrMakeAsync(key, Array.Empty<byte>()));
        }
    }

    [Fact]
    public async Task HybridCache_recreates_unreadable_values()
    {
        await using World world = await World.StartAsync();
        HybridCacheEntryOptions distributed = new() { Flags = HybridCacheEntryFlags.DisableLocalCache };
        byte[][] strange = [[], [0], [0, 3, 1, 255, 255], [.. Enumerable.Repeat((byte)7, 1_000)]];
        for (int i = 0; i < strange.Length; i++)
        {
            await world.First.Distributed.SetAsync($"entry {i}", strange[i], null);
            Assert.Equal(1, await world.First.GetOrMakeAsync($"entry {i}", 1, distributed));
            await world.First.Client.Cache("cache").SetAsync($"value {i}", strange[i]);
            Assert.Equal(1, await world.First.GetOrMakeAsync($"value {i}", 1, distributed));
        }
    }

    [Fact]
    public async Task HybridCache_serializer_exception_reaches_caller_and_later_calls_succeed()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using HybridProcess process = new(server.Port, TimeProvider.System, build: static builder => builder.AddSerializer(new FaultySerializer()));
        HybridCacheEntryOptions distributed = new() { Flags = HybridCacheEntryFlags.DisableLocalCache };
        InvalidOperationException writing = await Assert.ThrowsAsync<InvalidOperationException>(
            () => process.GetOrMakeAsync("writing", new FaultyValue(FailsInWriting: true), distributed).AsTask());
        Assert.Equal("The serializer writes.", writing.Message);
        Assert.Null(await process.Distributed.GetAsync("writing"));

        // HybridCache deserializes a copy of the created value even for the first caller.
        InvalidOperationException reading = await Assert.ThrowsAsync<InvalidOperationException>(
            () => process.GetOrMakeAsync("reading", new FaultyValue(FailsInWriting: false), distributed).AsTask());
        Assert.Equal("The serializer reads.", reading.Message);
        Assert.Equal(1, await process.GetOrMakeAsync("other", 1, distributed));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HybridCache_still_creates_values_if_the_server_is_unreachable(bool failOpen)
    {
        RunningServer server = await RunningServer.StartAsync();
        await using HybridProcess process = new(
            server.Port, TimeProvider.System, options => options.FailOpen = failOpen, requestTimeout: TimeSpan.FromSeconds(2));
        await process.GetOrMakeAsync("before", 1);
        await server.DisposeAsync();
        Assert.Equal(1, await process.GetOrMakeAsync("before", 2));
        Assert.Equal(2, await process.GetOrMakeAsync("after", 2));
        Assert.Equal(2, await process.GetOrMakeAsync("after", 3));
        if (failOpen)
        {
            await process.Cache.SetAsync("set", 4);
            await process.Cache.RemoveAsync("before");
            await process.Cache.RemoveByTagAsync("tag");
            Assert.Equal(5, await process.GetOrMakeAsync("before", 5));
            Assert.InRange(process.Distributed.FailedOpen, 5, long.MaxValue);
        }
        else
        {
            await Assert.ThrowsAsync<CacheException>(() => process.Cache.RemoveAsync("before").AsTask());
            await Assert.ThrowsAsync<CacheException>(() => process.Cache.RemoveByTagAsync("tag").AsTask());
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HybridCache_cancelled_caller_does_not_cancel_other_callers(bool isLarder)
    {
        await using World world = await World.StartAsync(isLarder);
        using CancellationTokenSource source = new();
        TaskCompletionSource<int> release = new();
        TaskCompletionSource started = new();
        Task<int> patient = world.First.Cache.GetOrCreateAsync("k", async _ =>
        {
            started.SetResult();
            return await release.Task;
        }).AsTask();
        await started.Task;
        Task<int> hasty = world.First.GetOrMakeAsync("k", 2, cancellationToken: source.Token).AsTask();
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => hasty);
        release.SetResult(1);
        Assert.Equal(1, await patient);
    }

    private sealed record FaultyValue(bool FailsInWriting);

    private sealed class FaultySerializer : IHybridCacheSerializer<FaultyValue>
    {
        public FaultyValue Deserialize(ReadOnlySequence<byte> source) => throw new InvalidOperationException("The serializer reads.");

        public void Serialize(FaultyValue value, IBufferWriter<byte> target)
        {
            if (value.FailsInWriting)
            {
                throw new InvalidOperationException("The serializer writes.");
            }

            target.Write("written"u8);
        }
    }

    /// <summary>Two processes and a server with one clock.</summary>
    private sealed class World : IAsyncDisposable
    {
        private readonly RunningServer _server;
        private readonly ManualTime _time;

        private World(RunningServer server, ManualTime time, bool isLarder)
        {
            _server = server;
            _time = time;
            First = new HybridProcess(server.Port, time, isLarder: isLarder);
            Second = new HybridProcess(server.Port, time, isLarder: isLarder);
        }

        public HybridProcess First { get; }

        public HybridProcess Second { get; }

        public static async Task<World> StartAsync(bool isLarder = false)
        {
            ManualTime time = new();
            return new World(await RunningServer.StartAsync(time: time), time, isLarder);
        }

        public void Advance(TimeSpan by) => ManualServerTime.Advance(_time, by, First.Client);

        public async ValueTask DisposeAsync()
        {
            await First.DisposeAsync();
            await Second.DisposeAsync();
            await _server.DisposeAsync();
        }
    }
}
