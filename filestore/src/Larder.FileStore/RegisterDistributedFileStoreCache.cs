using Larder.FileStore.Engine;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Larder.FileStore;

/// <summary>Registers the file store in a service collection.</summary>
public static class RegisterDistributedFileStoreCache
{
    /// <summary>
    /// Registers a singleton of the API chosen by <see cref="DistributedFileStoreCacheOptions.WhichVersion"/>. The file is opened when the service is first
    /// requested, and closed when the container is disposed. The clock and the logger factory come from the container unless the options specify them.
    /// </summary>
    /// <param name="services">The service collection.</param>
    /// <param name="optionsAction">Configures the settings.</param>
    /// <param name="environment">
    /// The source of the folder (content root) and of the second part of the file name (environment name), if the settings do not specify them.
    /// </param>
    /// <returns>The settings.</returns>
    /// <exception cref="DistributedFileStoreCacheException">The folder or the file name is not specified.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A setting is out of range.</exception>
    public static DistributedFileStoreCacheOptions AddDistributedFileStoreCache(
        this IServiceCollection services, Action<DistributedFileStoreCacheOptions>? optionsAction = null, IHostEnvironment? environment = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        DistributedFileStoreCacheOptions options = Prepare(optionsAction, environment);
        services.AddSingleton(FaceOf(options.WhichVersion), provider => Open(options, provider));
        return options;
    }

    /// <summary>Like <see cref="AddDistributedFileStoreCache"/>, but registers a keyed service, for several caches in one process.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="serviceKey">The key of the service.</param>
    /// <param name="optionsAction">Configures the settings. Caches in the same folder need different file names.</param>
    /// <param name="environment">The source of the folder and the second part of the file name, if the settings do not specify them.</param>
    /// <returns>The settings.</returns>
    public static DistributedFileStoreCacheOptions AddKeyedDistributedFileStoreCache(
        this IServiceCollection services,
        object serviceKey,
        Action<DistributedFileStoreCacheOptions>? optionsAction = null,
        IHostEnvironment? environment = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(serviceKey);
        DistributedFileStoreCacheOptions options = Prepare(optionsAction, environment);
        services.AddKeyedSingleton(FaceOf(options.WhichVersion), serviceKey, (provider, _) => Open(options, provider));
        return options;
    }

    private static DistributedFileStoreCacheOptions Prepare(Action<DistributedFileStoreCacheOptions>? optionsAction, IHostEnvironment? environment)
    {
        DistributedFileStoreCacheOptions options = new();
        optionsAction?.Invoke(options);
        options.PathToCacheFileDirectory ??= environment?.ContentRootPath;
        options.SecondPartOfCacheFileName ??= environment?.EnvironmentName;
        _ = options.ToSettings();
        return options;
    }

    private static Type FaceOf(FileStoreCacheVersions version) => version switch
    {
        FileStoreCacheVersions.String => typeof(IDistributedFileStoreCacheString),
        FileStoreCacheVersions.Class => typeof(IDistributedFileStoreCacheClass),
        FileStoreCacheVersions.Bytes => typeof(IDistributedFileStoreCacheBytes),
        _ => typeof(IDistributedCache),
    };

    private static object Open(DistributedFileStoreCacheOptions options, IServiceProvider provider)
    {
        FileStoreSettings settings = options.ToSettings() with
        {
            TimeProvider = options.TimeProvider ?? provider.GetService<TimeProvider>() ?? TimeProvider.System,
            LoggerFactory = options.LoggerFactory ?? provider.GetService<ILoggerFactory>(),
        };
        CacheFileHandler handler = new(CacheEngine.Open(settings));
        return options.WhichVersion switch
        {
            FileStoreCacheVersions.String => new DistributedFileStoreCacheString(handler),
            FileStoreCacheVersions.Class => new DistributedFileStoreCacheClass(handler, options.JsonSerializerForCacheFile),
            _ => new DistributedFileStoreCacheBytes(handler),
        };
    }
}
