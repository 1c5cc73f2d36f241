using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Larder.Client;

/// <summary>Registers the client and its adapters with an application's services.</summary>
public static partial class LarderServiceCollectionExtensions
{
    /// <summary>Registers one <see cref="CacheClient"/> for the whole application. It is disposed with the application.</summary>
    /// <param name="services">The application's services.</param>
    /// <param name="configure">Changes the settings. If null, the defaults apply.</param>
    public static IServiceCollection AddLarderCache(this IServiceCollection services, Action<LarderCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddOptions<LarderCacheOptions>().Configure(configure ?? (static _ => { }));
        services.TryAddSingleton(static provider => NewClient(provider, provider.GetRequiredService<IOptions<LarderCacheOptions>>().Value));
        return services;
    }

    /// <summary>
    /// Registers one <see cref="CacheClient"/> for the whole application, with settings bound from a section of the configuration and then changed by
    /// <paramref name="configure"/>.
    /// </summary>
    /// <param name="services">The application's services.</param>
    /// <param name="section">
    /// The section, with the names of <see cref="LarderCacheOptions"/>. An unknown name causes an <see cref="InvalidOperationException"/> when the client is
    /// created.
    /// </param>
    /// <param name="configure">Changes the settings after the binding, or null.</param>
    public static IServiceCollection AddLarderCache(this IServiceCollection services, IConfiguration section, Action<LarderCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        services.AddOptions<LarderCacheOptions>().Bind(section, static binder => binder.ErrorOnUnknownConfiguration = true);
        return services.AddLarderCache(configure);
    }

    /// <summary>
    /// Registers <see cref="IDistributedCache"/> over the application's client. HybridCache and FusionCache use it without copying values
    /// (<see cref="IBufferDistributedCache"/>). Also registers the client unless <see cref="AddLarderCache(IServiceCollection, Action{LarderCacheOptions})"/>
    /// has. A second call changes the settings of the same cache; for several caches use <see cref="AddKeyedLarderDistributedCache"/>.
    /// </summary>
    /// <param name="services">The application's services.</param>
    /// <param name="configure">Changes the settings of the cache. If null, the defaults apply.</param>
    /// <param name="configureClient">Changes the settings of the client. If null, the defaults apply.</param>
    public static IServiceCollection AddLarderDistributedCache(
        this IServiceCollection services,
        Action<LarderDistributedCacheOptions>? configure = null,
        Action<LarderCacheOptions>? configureClient = null)
    {
        services.AddLarderCache(configureClient);
        services.AddOptions<LarderDistributedCacheOptions>().Configure(configure ?? (static _ => { }));
        services.TryAddSingleton(static provider => NewCache(
            provider, provider.GetRequiredService<CacheClient>(), provider.GetRequiredService<IOptions<LarderDistributedCacheOptions>>().Value));
        services.AddSingleton<IDistributedCache>(static provider => provider.GetRequiredService<LarderDistributedCache>());
        return services;
    }

    /// <summary>Adds a health check that pings the server within the client's deadline.</summary>
    /// <param name="builder">The application's health checks.</param>
    /// <param name="name">The check's name.</param>
    /// <param name="failureStatus">The status that it reports if the server does not answer. The default is null: unhealthy.</param>
    /// <param name="tags">The tags to select it by.</param>
    public static IHealthChecksBuilder AddLarder(
        this IHealthChecksBuilder builder,
        string name = "larder",
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(
            new HealthCheckRegistration(name, static provider => new LarderHealthCheck(provider.GetRequiredService<CacheClient>), failureStatus, tags));
    }

    private static CacheClient NewClient(IServiceProvider provider, LarderCacheOptions options) =>
        new(options.Build(), options.Credentials(), options.DefaultTtl, provider.GetService<ILoggerFactory>());

    private static LarderDistributedCache NewCache(IServiceProvider provider, CacheClient client, LarderDistributedCacheOptions options) =>
        new(client, options, provider.GetService<TimeProvider>(), provider.GetService<ILogger<LarderDistributedCache>>());
}
