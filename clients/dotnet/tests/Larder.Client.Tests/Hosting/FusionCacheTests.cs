using System.Text;
using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Distributed;
using ZiggyCreatures.Caching.Fusion;
using ZiggyCreatures.Caching.Fusion.Serialization.SystemTextJson;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests FusionCache with a server that has the default maximum TTL. FusionCache stores its markers of removed tags with a TTL of 10 days.</summary>
public sealed class FusionCacheTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task FusionCache_RemoveByTag_applies_to_every_node(bool failOpen)
    {
        await using World world = await World.StartAsync(failOpen);
        FusionCache one = world.NewNode();
        FusionCache other = world.NewNode();
        await one.SetAsync("product:1", "old", tags: ["products"]);
        await one.SetAsync("page:1", "kept", tags: ["pages"]);
        await other.TryGetAsync<string>("nothing");
        await one.RemoveByTagAsync("products");
        foreach (FusionCache node in (FusionCache[])[one, other, world.NewNode()])
        {
            Assert.False((await node.TryGetAsync<string>("product:1")).HasValue);
            Assert.Equal("kept", (await node.TryGetAsync<string>("page:1")).Value);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task FusionCache_Clear_applies_to_every_node(bool allowFailSafe)
    {
        await using World world = await World.StartAsync(failOpen: false);
        FusionCache one = world.NewNode();
        FusionCache other = world.NewNode();
        await one.SetAsync("k", "old");
        await other.TryGetAsync<string>("nothing");
        await one.ClearAsync(allowFailSafe);
        foreach (FusionCache node in (FusionCache[])[one, other, world.NewNode()])
        {
            Assert.False((await node.TryGetAsync<string>("k")).HasValue);
        }
    }

    [Fact]
    public async Task FusionCache_tag_marker_outlives_later_entries()
    {
        await using World world = await World.StartAsync(failOpen: false);
        FusionCache one = world.NewNode();
        await one.RemoveByTagAsync("products");
        FusionCacheEntryOptions week = new() { Duration = TimeSpan.FromDays(7), AllowBackgroundDistributedCacheOperations = false };
        await one.SetAsync("entry", "v", week, ["products"]);
        FusionCacheEntryOptions failSafe = new()
        {
            Duration = TimeSpan.FromMinutes(5),
            IsFailSafeEnabled = true,
            FailSafeMaxDuration = TimeSpan.FromDays(2),
            AllowBackgroundDistributedCacheOperations = false,
        };
        await one.SetAsync("failsafe", "v", failSafe, ["products"]);
        TimeSpan marker = await world.TtlOf("__fc:t:products");
        TimeSpan written = TimeSpan.FromHours(1);
        Assert.True(await world.TtlOf("entry") + written < marker);
        Assert.True(await world.TtlOf("failsafe") + written < marker);
        Assert.Equal("v", (await world.NewNode().TryGetAsync<string>("failsafe")).Value);
    }

    private sealed class World(RunningServer server, CacheClient client, bool failOpen) : IAsyncDisposable
    {
        private readonly List<FusionCache> _nodes = [];

        public static async Task<World> StartAsync(bool failOpen)
        {
            RunningServer server = await RunningServer.StartAsync();
            return new World(server, server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) }), failOpen);
        }

        /// <summary>Creates a FusionCache that represents another process. It has its own memory but uses the same server.</summary>
        public FusionCache NewNode()
        {
            FusionCacheEntryOptions entries = new() { Duration = TimeSpan.FromMinutes(5), AllowBackgroundDistributedCacheOperations = false };
            FusionCache node = new(new FusionCacheOptions { DefaultEntryOptions = entries });
            IDistributedCache cache = new LarderDistributedCache(client, new LarderDistributedCacheOptions { FailOpen = failOpen });
            node.SetupDistributedCache(cache, new FusionCacheSystemTextJsonSerializer());
            _nodes.Add(node);
            return node;
        }

        /// <summary>Returns the remaining TTL of the key that ends with <paramref name="end"/>. FusionCache prefixes keys with its format version.</summary>
        public async Task<TimeSpan> TtlOf(string end)
        {
            KeyPage scanned = Expect.Success(await client.Cache("cache").ScanKeysAsync());
            return Assert.Single(scanned.Keys, key => Encoding.UTF8.GetString(key.Key.Span).EndsWith(end, StringComparison.Ordinal)).RemainingTtl;
        }

        public async ValueTask DisposeAsync()
        {
            _nodes.ForEach(static node => node.Dispose());
            await client.DisposeAsync();
            await server.DisposeAsync();
        }
    }
}
