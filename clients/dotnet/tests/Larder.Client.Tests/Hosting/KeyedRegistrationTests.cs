using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests several distributed caches in one application.</summary>
public sealed class KeyedRegistrationTests
{
    [Fact]
    public async Task Keyed_caches_share_a_client_but_use_separate_prefixes()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        ServiceCollection services = new();
        services.AddLarderDistributedCache(static options => options.KeyPrefix = "default:", Url(server));
        services.AddKeyedLarderDistributedCache("sessions", static options => options.KeyPrefix = "sessions:");
        services.AddKeyedLarderDistributedCache("data", static options => options.KeyPrefix = "data:");
        await using ServiceProvider provider = services.BuildServiceProvider();
        IDistributedCache[] caches =
        [
            provider.GetRequiredService<IDistributedCache>(),
            provider.GetRequiredKeyedService<IDistributedCache>("sessions"),
            provider.GetRequiredKeyedService<IDistributedCache>("data"),
        ];
        for (int i = 0; i < caches.Length; i++)
        {
            await caches[i].SetAsync("k", [(byte)i]);
        }

        CacheClient client = provider.GetRequiredService<CacheClient>();
        string[] keys = ["default:k", "sessions:k", "data:k"];
        for (int i = 0; i < keys.Length; i++)
        {
            Assert.Equal((byte)i, Assert.Single((await caches[i].GetAsync("k"))!));
            Expect.Hit(await client.Cache("cache").GetAsync(keys[i]));
        }

        Assert.Same(provider.GetRequiredKeyedService<LarderDistributedCache>("data"), caches[2]);
        Assert.Single(provider.GetServices<IDistributedCache>());
        Assert.Null(provider.GetKeyedService<CacheClient>("sessions"));
    }

    [Fact]
    public async Task Keyed_cache_uses_client_registered_with_the_same_key()
    {
        await using RunningServer one = await RunningServer.StartAsync();
        await using RunningServer other = await RunningServer.StartAsync();
        ServiceCollection services = new();
        services.AddLarderCache(Url(one));
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Other:Url"] = $"http://127.0.0.1:{other.Port}",
            ["Other:DefaultTtl"] = "00:05:00",
        }).Build();
        services.AddKeyedLarderCache("other", configuration.GetSection("Other"), static options => options.MaxRetries = 1);
        services.AddKeyedLarderDistributedCache("other");
        services.AddKeyedLarderDistributedCache("own", configureClient: Url(other));
        await using ServiceProvider provider = services.BuildServiceProvider();
        await provider.GetRequiredKeyedService<IDistributedCache>("other").SetAsync("k", [1]);
        Assert.Equal([1], await provider.GetRequiredKeyedService<IDistributedCache>("own").GetAsync("k"));
        CacheClient keyed = provider.GetRequiredKeyedService<CacheClient>("other");
        Assert.Equal((TimeSpan.FromMinutes(5), 1), (keyed.DefaultTtl, keyed.Configuration.MaxRetries));
        Assert.NotSame(keyed, provider.GetRequiredKeyedService<CacheClient>("own"));
        Expect.Miss(await provider.GetRequiredService<CacheClient>().Cache("cache").GetAsync("k"));
    }

    [Fact]
    public void Missing_arguments_and_unknown_settings_are_rejected()
    {
        ServiceCollection services = new();
        Assert.Throws<ArgumentNullException>("serviceKey", () => services.AddKeyedLarderCache(null!));
        Assert.Throws<ArgumentNullException>("serviceKey", () => services.AddKeyedLarderDistributedCache(null!));
        Assert.Throws<ArgumentNullException>("services", () => LarderServiceCollectionExtensions.AddKeyedLarderDistributedCache(null!, "k"));
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?> { ["L:MaxInFlight"] = "1" }).Build();
        services.AddKeyedLarderCache("k", configuration.GetSection("L"));
        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.Contains("'MaxInFlight'", Assert.Throws<InvalidOperationException>(() => provider.GetRequiredKeyedService<CacheClient>("k")).Message);
    }

    private static Action<LarderCacheOptions> Url(RunningServer server) => options => options.Url = $"http://127.0.0.1:{server.Port}";
}
