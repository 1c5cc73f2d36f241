using Larder.Client.Tests.Support;
using Microsoft.Extensions.DependencyInjection;
using ZiggyCreatures.Caching.Fusion;
using ZiggyCreatures.Caching.Fusion.Serialization.SystemTextJson;

namespace Larder.Client.Tests.Fusion;

/// <summary>Tests the registration and the options of a FusionCache on a server.</summary>
public sealed class FusionRegistrationTests
{
    [Theory]
    [InlineData(true, true, true)]
    [InlineData(true, false, false)]
    [InlineData(false, true, false)]
    [InlineData(false, false, true)]
    public async Task WithLarder_sets_up_the_selected_parts(bool cache, bool backplane, bool locker)
    {
        await using FusionNodes nodes = await FusionNodes.StartAsync(
            1, configure: options => (options.UseDistributedCache, options.UseBackplane, options.UseDistributedLocker) = (cache, backplane, locker));
        Assert.Equal(
            (cache, backplane, locker), (nodes[0].HasDistributedCache, nodes[0].HasBackplane, nodes[0].HasDistributedLocker));
        Assert.Equal(backplane, nodes[0].Backplane is LarderBackplane);
        Assert.Equal(cache, nodes[0].DistributedCache is LarderDistributedCache);
    }

    [Fact]
    public async Task Named_caches_use_their_keyed_clients()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        ServiceCollection services = new();
        services.AddKeyedLarderCache("data", options => options.Url = $"http://127.0.0.1:{server.Port}");
        services.AddFusionCache("named").WithSerializer(new FusionCacheSystemTextJsonSerializer())
            .WithLarder(static options => (options.ClientServiceKey, options.KeyPrefix) = ("data", "named:"));
        await using ServiceProvider provider = services.BuildServiceProvider();
        IFusionCache cache = provider.GetRequiredService<IFusionCacheProvider>().GetCache("named");
        await cache.SetAsync("k", "v");
        KeyPage stored = Expect.Success(await provider.GetRequiredKeyedService<CacheClient>("data").Cache("cache").ScanKeysAsync());
        Assert.All(stored.Keys, static key => Assert.StartsWith("named:", System.Text.Encoding.UTF8.GetString(key.Key.Span), StringComparison.Ordinal));
        Assert.Null(provider.GetService<CacheClient>());
    }

    [Fact]
    public void Invalid_options_are_rejected()
    {
        Assert.Throws<ArgumentNullException>(static () => LarderFusionCacheExtensions.WithLarder(null!));
        IFusionCacheBuilder builder = new ServiceCollection().AddFusionCache();
        foreach (Action<LarderFusionCacheOptions> invalid in (Action<LarderFusionCacheOptions>[])
        [
            static options => options.CacheName = null!,
            static options => options.KeyPrefix = null!,
            static options => options.KeyPrefix = "\ud800",
            static options => options.LockDuration = TimeSpan.FromSeconds(1) - TimeSpan.FromTicks(1),
            static options => options.LockDuration = TimeSpan.FromHours(1) + TimeSpan.FromTicks(1),
        ])
        {
            Assert.ThrowsAny<ArgumentException>(() => builder.WithLarder(invalid));
        }

        Assert.Throws<ArgumentException>(() => builder.WithLarder(static options => options.ClientServiceKey = "k", static _ => { }));
    }
}
