using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Larder.Client;

/// <content>Several clients and distributed caches in one application, as keyed services.</content>
public static partial class LarderServiceCollectionExtensions
{
    /// <summary>Registers a <see cref="CacheClient"/> as a keyed service, with its own server or token. The client is disposed with the application.</summary>
    /// <param name="services">The application's services.</param>
    /// <param name="serviceKey">The key of the service. Only the first registration for a key takes effect.</param>
    /// <param name="configure">Changes the settings. If null, the defaults apply.</param>
    public static IServiceCollection AddKeyedLarderCache(
        this IServiceCollection services, object serviceKey, Action<LarderCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(serviceKey);
        services.TryAddKeyedSingleton(serviceKey, (provider, _) =>
        {
            LarderCacheOptions options = new();
            configure?.Invoke(options);
            return NewClient(provider, options);
        });
        return services;
    }

    /// <summary>
    /// Registers a <see cref="CacheClient"/> as a keyed service, with settings bound from a section of the configuration and then changed by
    /// <paramref name="configure"/>.
    /// </summary>
    /// <param name="services">The application's services.</param>
    /// <param name="serviceKey">The key of the service.</param>
    /// <param name="section">
    /// The configuration section. Its names are the property names of <see cref="LarderCacheOptions"/>. An unknown name causes an
    /// <see cref="InvalidOperationException"/> when the client is created.
    /// </param>
    /// <param name="configure">Changes the settings after they are bound. If null, the settings of the section apply.</param>
    public static IServiceCollection AddKeyedLarderCache(
        this IServiceCollection services, object serviceKey, IConfiguration section, Action<LarderCacheOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        return services.AddKeyedLarderCache(serviceKey, options =>
        {
            section.Bind(options, static binder => binder.ErrorOnUnknownConfiguration = true);
            configure?.Invoke(options);
        });
    }

    /// <summary>
    /// Registers <see cref="IDistributedCache"/> and <see cref="LarderDistributedCache"/> as keyed services with their own settings, such as the key prefix or
    /// the name of the cache. The distributed cache uses the client with the same service key if one is registered, otherwise the application's client.
    /// </summary>
    /// <param name="services">The application's services.</param>
    /// <param name="serviceKey">The key of the service.</param>
    /// <param name="configure">Changes the settings of this cache. If null, the defaults apply.</param>
    /// <param name="configureClient">
    /// Changes the settings of the client that this method registers with the same service key. If null, this method registers no client with this key.
    /// </param>
    public static IServiceCollection AddKeyedLarderDistributedCache(
        this IServiceCollection services,
        object serviceKey,
        Action<LarderDistributedCacheOptions>? configure = null,
        Action<LarderCacheOptions>? configureClient = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(serviceKey);
        services.AddLarderCache();
        if (configureClient is not null)
        {
            services.AddKeyedLarderCache(serviceKey, configureClient);
        }

        services.AddKeyedSingleton(serviceKey, (provider, key) =>
        {
            LarderDistributedCacheOptions options = new();
            configure?.Invoke(options);
            return NewCache(provider, provider.GetKeyedService<CacheClient>(key) ?? provider.GetRequiredService<CacheClient>(), options);
        });
        services.AddKeyedSingleton<IDistributedCache>(serviceKey, static (provider, key) => provider.GetRequiredKeyedService<LarderDistributedCache>(key));
        return services;
    }
}
