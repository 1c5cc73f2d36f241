using Larder.FileStore.Engine;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Larder.FileStore;

/// <summary>Registers the file store with a container.</summary>
public static class RegisterDistributedFileStoreCache
{
    /// <summary>
    /// Registers one singleton, the face chosen by <see cref="DistributedFileStoreCacheOptions.WhichVersion"/>. The file is opened when it is first asked for
    /// and closed with the container; clock and logging are the container's unless the options say otherwise.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="optionsAction">Changes the settings.</param>
    /// <param name="environment">Gives the folder (content root) and the second part of the file's name (environment name) unless the settings do.</param>
    /// <returns>The settings.</returns>
    /// <exception cref="DistributedFileStoreCacheException">Folder or name are given by neither.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A setting is out of its range.</exception>
    public static DistributedFileStoreCacheOptions AddDistributedFileStoreCache(
        this IServiceCollection services, Action<DistributedFileStoreCacheOptions>? optionsAction = null, IHostEnvironment? environment = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        DistributedFileStoreCacheOptions options = Prepare(optionsAction, environment);
        services.AddSingleton(FaceOf(options.WhichVersion), provider => Open(options, provider));
        return options;
    }

    /// <summary>As <see cref="AddDistributedFileStoreCache"/>, as a keyed service: one of several caches of one process.</summary>
    /// <param name="services">The services.</param>
    /// <param name="serviceKey">The key of the service.</param>
    /// <param name="optionsAction">Changes the settings; caches of one folder need file names of their own.</param>
    /// <param name="environment">Gives folder and name unless the settings do.</param>
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
