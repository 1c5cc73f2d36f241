using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using ZiggyCreatures.Caching.Fusion;

namespace Larder.Client;

/// <summary>Registers a FusionCache on a Larder server.</summary>
public static class LarderFusionCacheExtensions
{
    /// <summary>
    /// Uses a Larder server for FusionCache's distributed cache, backplane and distributed locker. The distributed cache needs a serializer: call
    /// <c>WithSerializer</c> too. Also registers the client, unless
    /// <see cref="LarderServiceCollectionExtensions.AddLarderCache(IServiceCollection, Action{LarderCacheOptions})"/> has already registered it.
    /// </summary>
    /// <param name="builder">The builder that <c>AddFusionCache</c> returns.</param>
    /// <param name="configure">Changes the settings. If null, the defaults apply.</param>
    /// <param name="configureClient">
    /// Changes the settings of the application's client. If null, the defaults apply. Not allowed with
    /// <see cref="LarderFusionCacheOptions.ClientServiceKey"/>.
    /// </param>
    /// <exception cref="ArgumentException">A setting is invalid.</exception>
    public static IFusionCacheBuilder WithLarder(
        this IFusionCacheBuilder builder,
        Action<LarderFusionCacheOptions>? configure = null,
        Action<LarderCacheOptions>? configureClient = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        LarderFusionCacheOptions options = new();
        configure?.Invoke(options);
        options.Check();
        if (options.ClientServiceKey is null)
        {
            builder.Services.AddLarderCache(configureClient);
        }
        else if (configureClient is not null)
        {
            throw new ArgumentException(
                $"The client with the key {options.ClientServiceKey} is configured by AddKeyedLarderCache; do not pass {nameof(configureClient)}.",
                nameof(configureClient));
        }

        if (options.UseDistributedCache)
        {
            builder.WithDistributedCache(provider => NewDistributedCache(provider, options));
        }

        if (options.UseDistributedLocker)
        {
            builder.WithDistributedLocker(provider => new LarderDistributedLocker(ClientOf(provider, options), options, provider.GetService<TimeProvider>()));
        }

        // The backplane needs the FusionCache, which a factory of a backplane does not get.
        return !options.UseBackplane ? builder : builder.WithPostSetup((provider, cache) => cache.SetupBackplane(new LarderBackplane(
            ClientOf(provider, options), cache, options, provider.GetService<TimeProvider>(), provider.GetService<ILogger<LarderBackplane>>())));
    }

    // The distributed cache must not fail open: FusionCache repeats a failed write later (auto-recovery), which needs the exception.
    private static LarderDistributedCache NewDistributedCache(IServiceProvider provider, LarderFusionCacheOptions options) => new(
        ClientOf(provider, options),
        new LarderDistributedCacheOptions { CacheName = options.CacheName, KeyPrefix = options.KeyPrefix },
        provider.GetService<TimeProvider>(),
        provider.GetService<ILogger<LarderDistributedCache>>());

    private static CacheClient ClientOf(IServiceProvider provider, LarderFusionCacheOptions options) => options.ClientServiceKey is { } key
        ? provider.GetRequiredKeyedService<CacheClient>(key)
        : provider.GetRequiredService<CacheClient>();
}
