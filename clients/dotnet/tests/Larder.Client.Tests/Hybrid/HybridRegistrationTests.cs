using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Larder.Client.Tests.Hybrid;

/// <summary>Tests the registration and the options of Larder's HybridCache.</summary>
public sealed class HybridRegistrationTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AddLarderHybridCache_replaces_the_default_in_any_order(bool isFirst)
    {
        ServiceCollection services = new();
        if (isFirst)
        {
            services.AddLarderHybridCache();
        }

        services.AddHybridCache();
        if (!isFirst)
        {
            services.AddLarderHybridCache();
        }

        await using ServiceProvider provider = services.BuildServiceProvider();
        Assert.Same(provider.GetRequiredService<LarderHybridCache>(), provider.GetRequiredService<HybridCache>());
    }

    [Fact]
    public async Task Client_gets_a_near_cache_for_the_keys_of_all_HybridCaches()
    {
        ServiceCollection services = new();
        services.AddLarderHybridCache();
        services.AddLarderHybridCache(static options => options.NearCacheBytes = 1 << 20);
        services.AddKeyedLarderHybridCache(
            "other", static options => (options.KeyPrefix, options.CacheName, options.NearCacheBytes) = ("o:", "second", 1 << 21));
        services.AddKeyedLarderHybridCache("own", configureClient: static options => options.MaxRetries = 1);
        await using ServiceProvider provider = services.BuildServiceProvider();
        NearCache near = provider.GetRequiredService<CacheClient>().Configuration.NearCache!;
        Assert.Equal(3 << 20, near.MaxBytes);
        Assert.Equal(["cache", "second"], near.Caches);
        Assert.Equal(["hybrid:", "o:"], near.KeyPrefixes!);
        Assert.Equal(64 << 20, provider.GetRequiredKeyedService<CacheClient>("own").Configuration.NearCache!.MaxBytes);
        Assert.Null(provider.GetKeyedService<CacheClient>("other"));
        Assert.Same(provider.GetRequiredKeyedService<LarderHybridCache>("other"), provider.GetRequiredKeyedService<HybridCache>("other"));
    }

    [Fact]
    public async Task Empty_prefix_covers_the_whole_cache()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(configure: static options => options.KeyPrefix = "");
        Assert.Null(nodes.ClientOf(0).Configuration.NearCache!.KeyPrefixes);
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 1));
        Expect.Hit(await nodes.ClientOf(0).Cache("cache").GetAsync("k"));
    }

    [Fact]
    public async Task Own_near_cache_setting_of_the_client_is_kept()
    {
        ServiceCollection services = new();
        services.AddLarderHybridCache(configureClient: static options => options.NearCacheBytes = 1 << 20);
        await using ServiceProvider provider = services.BuildServiceProvider();
        NearCache near = provider.GetRequiredService<CacheClient>().Configuration.NearCache!;
        Assert.Equal((1 << 20, null), (near.MaxBytes, near.KeyPrefixes));
    }

    [Fact]
    public async Task Unary_transport_works_without_copies()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2, client: static options => options.Transport = Transport.Unary);
        Assert.Null(nodes.ClientOf(0).NearCache);
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 1));
        Assert.Equal(1, await nodes.ReadAsync(1, "k", 2));
        await nodes[0].RemoveAsync("k");
        Assert.Equal(3, await nodes.ReadAsync(1, "k", 3));
    }

    [Fact]
    public async Task Keyed_HybridCaches_use_separate_keys_and_tags()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        ServiceCollection services = new();
        services.AddLarderHybridCache(configureClient: options => options.Url = $"http://127.0.0.1:{server.Port}");
        services.AddKeyedLarderHybridCache("other", static options => options.KeyPrefix = "other:");
        await using ServiceProvider provider = services.BuildServiceProvider();
        HybridCache one = provider.GetRequiredService<HybridCache>();
        HybridCache other = provider.GetRequiredKeyedService<HybridCache>("other");
        await one.SetAsync("k", 1, tags: ["t"]);
        await other.SetAsync("k", 2, tags: ["t"]);
        await one.RemoveByTagAsync("t");
        Assert.Equal(3, await one.GetOrCreateAsync("k", static _ => ValueTask.FromResult(3)));
        Assert.Equal(2, await other.GetOrCreateAsync("k", static _ => ValueTask.FromResult(3)));
    }

    public static TheoryData<string, Action<LarderHybridCacheOptions>> InvalidOptions { get; } = new()
    {
        { "KeyPrefix", static options => options.KeyPrefix = null! },
        { "KeyPrefix", static options => options.KeyPrefix = new string('p', 129) },
        { "KeyPrefix", static options => options.KeyPrefix = "\uD800" },
        { "MaximumKeyLength", static options => options.MaximumKeyLength = 0 },
        { "MaximumKeyLength", static options => options.MaximumKeyLength = 1_000_001 },
        { "MaximumPayloadBytes", static options => options.MaximumPayloadBytes = 0 },
        { "MaximumPayloadBytes", static options => options.MaximumPayloadBytes = (1L << 30) + 1 },
        { "CompressAbove", static options => options.CompressAbove = -1 },
        { "NearCacheBytes", static options => options.NearCacheBytes = 1_023 },
        { "NearCacheBytes", static options => options.NearCacheBytes = (64L << 30) + 1 },
        { "LocalOnlyBytes", static options => options.LocalOnlyBytes = -1 },
        { "LocalOnlyBytes", static options => options.LocalOnlyBytes = (64L << 30) + 1 },
        { "Loading", static options => options.Loading = null! },
        { "Loading", static options => options.Loading = new() { Ttl = TimeSpan.FromMinutes(1) } },
        { "Loading", static options => options.Loading = new() { Tags = ["t"] } },
        { "Jitter", static options => options.Loading = new() { Jitter = 2 } },
        { "cache name", static options => options.CacheName = "" },
    };

    [Theory]
    [MemberData(nameof(InvalidOptions))]
    public async Task Invalid_option_throws_and_is_named(string name, Action<LarderHybridCacheOptions> change)
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), CredentialProvider.Local(), TimeSpan.FromMinutes(1));
        LarderHybridCacheOptions options = new();
        change(options);
        ArgumentException thrown = Assert.ThrowsAny<ArgumentException>(() => new LarderHybridCache(client, options));
        Assert.Contains(name, thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_at_their_limits_are_accepted()
    {
        await using CacheClient client = new(Configurations.Laptop.Latest(), CredentialProvider.Local(), TimeSpan.FromMinutes(1));
        _ = new LarderHybridCache(client, new() { KeyPrefix = new string('p', 128), MaximumKeyLength = 1, MaximumPayloadBytes = 1, LocalOnlyBytes = 0 });
        _ = new LarderHybridCache(client, new() { KeyPrefix = "", MaximumKeyLength = 1_000_000, MaximumPayloadBytes = 1 << 30, NearCacheBytes = 64L << 30 });
        Assert.Throws<ArgumentNullException>(() => new LarderHybridCache(null!, new()));
        Assert.Throws<ArgumentNullException>(() => new LarderHybridCache(client, null!));
    }
}
