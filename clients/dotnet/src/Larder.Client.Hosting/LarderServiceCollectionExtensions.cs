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
    /// <summary>Registers one <see cref="CacheClient"/> for the whole application. The client is disposed with the application.</summary>
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
    /// The configuration section. Its names are the property names of <see cref="LarderCacheOptions"/>. An unknown name causes an
    /// <see cref="InvalidOperationException"/> when the client is created.
    /// </param>
    /// <param name="configure">Changes the settings after they are bound. If null, the settings of the section apply.</param>
    public static IServiceCollection AddLarderCache(this IServiceCollection services, IConfiguration section, Action<LarderCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        services.AddOptions<LarderCacheOptions>().Bind(section, static binder => binder.ErrorOnUnknownConfiguration = true);
        return services.AddLarderCache(configure);
    }

    /// <summary>
    /// Registers an <see cref="IDistributedCache"/> that uses the application's client. HybridCache and FusionCache use it without copying values, because it
    /// implements <see cref="IBufferDistributedCache"/>. Also registers the client, unless
    /// <see cref="AddLarderCache(IServiceCollection, Action{LarderCacheOptions})"/> has already registered it. A second call changes the settings of the same
    /// distributed cache. For several distributed caches, use <see cref="AddKeyedLarderDistributedCache"/>.
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

    /// <summary>Adds a health check that pings the server. The check fails if the server does not respond within the client's timeout.</summary>
    /// <param name="builder">The builder of the application's health checks.</param>
    /// <param name="name">The name of the health check.</param>
    /// <param name="failureStatus">
    /// The status that the check reports if the server does not respond or the client cannot be created. The default is null: unhealthy.
    /// </param>
    /// <param name="tags">The tags by which an endpoint can select the check. The default is null: no tags.</param>
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
