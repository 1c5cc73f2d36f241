using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Larder.Client;

/// <summary>Registers the output cache with an application's services.</summary>
public static class LarderOutputCacheExtensions
{
    /// <summary>
    /// Registers the store of ASP.NET Core's output cache. May be called before or after <c>AddOutputCache</c>. Also registers the client, unless
    /// <see cref="LarderServiceCollectionExtensions.AddLarderCache(IServiceCollection, Action{LarderCacheOptions})"/> has already registered it.
    /// </summary>
    /// <param name="services">The application's services.</param>
    /// <param name="configure">Changes the settings of the output cache. If null, the defaults apply.</param>
    /// <param name="configureClient">Changes the settings of the client. If null, the defaults apply.</param>
    public static IServiceCollection AddLarderOutputCache(
        this IServiceCollection services,
        Action<LarderOutputCacheOptions>? configure = null,
        Action<LarderCacheOptions>? configureClient = null)
    {
        services.AddLarderCache(configureClient);
        services.AddHttpContextAccessor();
        services.AddOptions<LarderOutputCacheOptions>().Configure(configure ?? (static _ => { }));
        services.TryAddSingleton(static provider => new LarderOutputCacheStore(
            provider.GetRequiredService<CacheClient>(),
            provider.GetRequiredService<IOptions<LarderOutputCacheOptions>>().Value,
            provider.GetService<TimeProvider>(),
            provider.GetService<ILogger<LarderOutputCacheStore>>(),
            provider.GetService<IHttpContextAccessor>()));
        services.AddSingleton<IOutputCacheStore>(static provider => provider.GetRequiredService<LarderOutputCacheStore>());
        return services;
    }
}
