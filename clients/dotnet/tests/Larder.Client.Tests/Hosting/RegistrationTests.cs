using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Larder.Client.Tests.Hosting;

public sealed class RegistrationTests
{
    [Fact]
    public async Task Settings_are_bound_from_configuration_and_overridden_in_code()
    {
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Larder:Url"] = "http://127.0.0.1:7777",
            ["Larder:Profile"] = "InRegion.LowLatency",
            ["Larder:DefaultTtl"] = "00:05:00",
            ["Larder:MaxInFlightUnary"] = "33",
            ["Larder:AdaptiveTarget"] = "00:00:00.020",
            ["Larder:MaxRetries"] = "1",
            ["Larder:Transport"] = "Unary",
        }).Build();
        ServiceCollection services = new();
        services.AddLarderCache(configuration.GetSection("Larder"), options => options.MaxRetries = 2);
        await using ServiceProvider provider = services.BuildServiceProvider();
        CacheClient client = provider.GetRequiredService<CacheClient>();
        Assert.Equal(
            Configurations.InRegion.LowLatency.Latest() with
            {
                MaxInFlightUnary = 33,
                AdaptiveTarget = TimeSpan.FromMilliseconds(20),
                MaxRetries = 2,
                Transport = Transport.Unary,
            },
            client.Configuration);
        Assert.Equal(TimeSpan.FromMinutes(5), client.DefaultTtl);
        Assert.Same(client, provider.GetRequiredService<CacheClient>());
    }

    [Fact]
    public async Task Near_cache_setting_applies_to_the_distributed_cache()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Larder:Url"] = $"http://127.0.0.1:{server.Port}",
            ["Larder:NearCacheBytes"] = "1048576",
        }).Build();
        ServiceCollection services = new();
        services.AddLarderCache(configuration.GetSection("Larder"));
        services.AddLarderDistributedCache(static options => options.KeyPrefix = "web:");
        await using ServiceProvider provider = services.BuildServiceProvider();
        CacheClient client = provider.GetRequiredService<CacheClient>();
        IDistributedCache cache = provider.GetRequiredService<IDistributedCache>();
        await cache.SetAsync("k", "v1"u8.ToArray());
        await Eventually.Holds(() => client.NearReads!.Stream is not null, "there is a near stream");
        byte[] first = (await cache.GetAsync("k"))!;
        Assert.Equal("v1"u8.ToArray(), first);
        first[0] = 0;
        Assert.Equal("v1"u8.ToArray(), await cache.GetAsync("k"));
        Assert.Equal(1, client.NearCache!.Hits);
        await cache.SetAsync("k", "v2"u8.ToArray());
        Assert.Equal("v2"u8.ToArray(), await cache.GetAsync("k"));
        await cache.RemoveAsync("k");
        Assert.Null(await cache.GetAsync("k"));
    }

    [Fact]
    public async Task Unknown_setting_in_configuration_is_rejected()
    {
        Dictionary<string, string?> settings = new() { ["Larder:MaxInFlight"] = "33" };
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection(settings).Build();
        ServiceCollection services = new();
        services.AddLarderCache(configuration.GetSection("Larder"));
        await using ServiceProvider provider = services.BuildServiceProvider();
        Assert.Contains("'MaxInFlight'", Assert.Throws<InvalidOperationException>(provider.GetRequiredService<CacheClient>).Message);
    }

    [Fact]
    public async Task AddLarderDistributedCache_registers_the_framework_interfaces()
    {
        ServiceCollection services = new();
        services.AddLarderDistributedCache(options => options.KeyPrefix = "x:", client => client.Url = "http://127.0.0.1:7777");
        await using ServiceProvider provider = services.BuildServiceProvider();
        Assert.IsType<LarderDistributedCache>(provider.GetRequiredService<IDistributedCache>());
        Assert.IsAssignableFrom<IBufferDistributedCache>(provider.GetRequiredService<IDistributedCache>());
    }

    [Fact]
    public async Task Health_check_reports_whether_the_server_responds()
    {
        RunningServer server = await RunningServer.StartAsync();
        ServiceCollection services = new();
        services.AddLogging();
        services.AddLarderCache(options =>
        {
            options.Url = $"http://127.0.0.1:{server.Port}";
            options.RequestTimeout = TimeSpan.FromSeconds(2);
        });
        services.AddHealthChecks().AddLarder();
        await using ServiceProvider provider = services.BuildServiceProvider();
        HealthCheckService health = provider.GetRequiredService<HealthCheckService>();
        bool healthy = false;
        for (int attempt = 0; attempt < 20 && !healthy; attempt++)
        {
            healthy = (await health.CheckHealthAsync()).Status == HealthStatus.Healthy;
        }

        Assert.True(healthy);
        await server.DisposeAsync();
        Assert.Equal(HealthStatus.Unhealthy, (await health.CheckHealthAsync()).Status);
    }

    [Fact]
    public async Task Health_check_explains_why_client_creation_failed()
    {
        ServiceCollection services = new();
        services.AddLogging();
        services.AddLarderCache(options => options.Url = "http://127.0.0.1:7777/path");
        services.AddHealthChecks().AddLarder();
        await using ServiceProvider provider = services.BuildServiceProvider();
        HealthReport report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.Equal(HealthStatus.Unhealthy, report.Status);
        Assert.Contains("path", report.Entries["larder"].Description);
    }
}
