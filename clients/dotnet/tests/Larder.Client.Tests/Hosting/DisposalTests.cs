using Larder.Client.Tests.Support;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using ZiggyCreatures.Caching.Fusion;
using ZiggyCreatures.Caching.Fusion.Serialization.SystemTextJson;

namespace Larder.Client.Tests.Hosting;

/// <summary>Tests containers that are disposed synchronously, for example <c>using ServiceProvider</c>, a host or a fixture.</summary>
public sealed class DisposalTests
{
    private static readonly Dictionary<
        string, (Action<IServiceCollection, Action<LarderCacheOptions>> Add, Func<IServiceProvider, Task> Use)> Registrations = new()
        {
            ["client"] = (
            static (services, client) => services.AddLarderCache(client),
            static async provider => await provider.GetRequiredService<CacheClient>().PingAsync()),
            ["distributed cache"] = (
            static (services, client) => services.AddLarderDistributedCache(configureClient: client),
            static provider => provider.GetRequiredService<IDistributedCache>().SetAsync("k", [1])),
            ["keyed"] = (
            static (services, client) => services.AddKeyedLarderDistributedCache("sessions", configureClient: client),
            static provider => provider.GetRequiredKeyedService<IDistributedCache>("sessions").SetAsync("k", [1])),
            ["hybrid cache"] = (
            static (services, client) => services.AddLarderDistributedCache(configureClient: client).AddHybridCache(),
            static async provider => await provider.GetRequiredService<HybridCache>().SetAsync("k", "v")),
            ["fusion cache"] = (
            static (services, client) => services.AddFusionCache()
                .WithSerializer(new FusionCacheSystemTextJsonSerializer())
                .WithLarder(configureClient: client),
            static async provider => await provider.GetRequiredService<IFusionCache>().SetAsync("k", "v")),
            ["output cache"] = (
            static (services, client) => services.AddLarderOutputCache(configureClient: client),
            static async provider => await provider.GetRequiredService<IOutputCacheStore>().GetAsync("k", default)),
        };

    public static TheoryData<string> Names => [.. Registrations.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Service_provider_can_be_disposed_synchronously(string name)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        ServiceCollection services = new();
        services.AddLogging();
        Registrations[name].Add(services, options => options.Url = $"http://127.0.0.1:{server.Port}");
        ServiceProvider provider = services.BuildServiceProvider(new ServiceProviderOptions { ValidateScopes = true, ValidateOnBuild = true });
        await Registrations[name].Use(provider);
        CacheClient client = provider.GetKeyedService<CacheClient>("sessions") ?? provider.GetRequiredService<CacheClient>();
        provider.Dispose();
        Assert.Equal(0, client.Connections);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => client.Cache("cache").GetAsync("k").AsTask());
    }

    [Fact]
    public async Task Disposing_a_client_twice_has_no_further_effect()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        CacheClient client = server.Connect(Configurations.Laptop.V1() with { RequestTimeout = TimeSpan.FromSeconds(40) });
        Expect.Miss(await client.Cache("cache").GetAsync("k"));
        client.Dispose();
        client.Dispose();
        await client.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => client.Cache("cache").GetAsync("k").AsTask());
    }
}
