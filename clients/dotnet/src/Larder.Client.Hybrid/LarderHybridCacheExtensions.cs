using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Larder.Client;

/// <summary>Registers the HybridCache with an application's services.</summary>
public static class LarderHybridCacheExtensions
{
    /// <summary>
    /// Registers <see cref="HybridCache"/> on the application's client. May be called before or after <c>AddHybridCache</c>, which it replaces; serializers
    /// that are registered with <c>AddHybridCache</c> or as services (<see cref="IHybridCacheSerializer{T}"/>, <see cref="IHybridCacheSerializerFactory"/>)
    /// apply. Also registers the client, unless
    /// <see cref="LarderServiceCollectionExtensions.AddLarderCache(IServiceCollection, Action{LarderCacheOptions})"/> has already registered it. If the
    /// client's settings contain no near cache, the client gets one for the keys of the HybridCache.
    /// </summary>
    /// <param name="services">The application's services.</param>
    /// <param name="configure">Changes the settings of the HybridCache. If null, the defaults apply.</param>
    /// <param name="configureClient">Changes the settings of the client. If null, the defaults apply.</param>
    public static IServiceCollection AddLarderHybridCache(
        this IServiceCollection services,
        Action<LarderHybridCacheOptions>? configure = null,
        Action<LarderCacheOptions>? configureClient = null)
    {
        services.AddLarderCache(configureClient);
        services.AddOptions<LarderHybridCacheOptions>().Configure(configure ?? (static _ => { }));
        services.AddOptions<LarderCacheOptions>()
            .PostConfigure<IOptions<LarderHybridCacheOptions>>(static (client, hybrid) => AddNearCache(client, hybrid.Value));
        services.TryAddSingleton(static provider => NewCache(
            provider, provider.GetRequiredService<CacheClient>(), provider.GetRequiredService<IOptions<LarderHybridCacheOptions>>().Value));
        services.AddSingleton<HybridCache>(static provider => provider.GetRequiredService<LarderHybridCache>());
        return services;
    }

    /// <summary>
    /// Registers <see cref="HybridCache"/> and <see cref="LarderHybridCache"/> as keyed services with their own settings, such as the key prefix or the name of
    /// the cache. The HybridCache uses the client with the same service key if one is registered, otherwise the application's client. A client that was
    /// registered separately with the same service key keeps its settings: set its <see cref="LarderCacheOptions.NearCacheBytes"/>.
    /// </summary>
    /// <param name="services">The application's services.</param>
    /// <param name="serviceKey">The key of the service.</param>
    /// <param name="configure">Changes the settings of this HybridCache. If null, the defaults apply.</param>
    /// <param name="configureClient">
    /// Changes the settings of the client that this method registers with the same service key. If null, this method registers no client with this key.
    /// </param>
    public static IServiceCollection AddKeyedLarderHybridCache(
        this IServiceCollection services,
        object serviceKey,
        Action<LarderHybridCacheOptions>? configure = null,
        Action<LarderCacheOptions>? configureClient = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(serviceKey);
        services.AddLarderCache();
        if (configureClient is null)
        {
            services.AddOptions<LarderCacheOptions>().PostConfigure(client => AddNearCache(client, Configured()));
        }
        else
        {
            services.AddKeyedLarderCache(serviceKey, client =>
            {
                configureClient(client);
                AddNearCache(client, Configured());
            });
        }

        services.AddKeyedSingleton(serviceKey, (provider, key) =>
            NewCache(provider, provider.GetKeyedService<CacheClient>(key) ?? provider.GetRequiredService<CacheClient>(), Configured()));
        services.AddKeyedSingleton<HybridCache>(serviceKey, static (provider, key) => provider.GetRequiredKeyedService<LarderHybridCache>(key));
        return services;

        LarderHybridCacheOptions Configured()
        {
            LarderHybridCacheOptions options = new();
            configure?.Invoke(options);
            return options;
        }
    }

    private static void AddNearCache(LarderCacheOptions client, LarderHybridCacheOptions hybrid)
    {
        hybrid.Check();

        // A second registration changes the settings of the same HybridCache.
        client.NearScopes.RemoveAll(scope => scope.Cache == hybrid.CacheName && scope.KeyPrefix == hybrid.KeyPrefix);
        client.NearScopes.Add(new NearScope(hybrid.CacheName, hybrid.KeyPrefix, hybrid.NearCacheBytes));
    }

    private static LarderHybridCache NewCache(IServiceProvider provider, CacheClient client, LarderHybridCacheOptions options) =>
        new(client, options, provider, provider.GetService<TimeProvider>(), provider.GetService<ILogger<LarderHybridCache>>());
}
