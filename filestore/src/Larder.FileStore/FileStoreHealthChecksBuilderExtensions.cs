using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Larder.FileStore;

/// <summary>Adds the health check of the file store.</summary>
public static class FileStoreHealthChecksBuilderExtensions
{
    /// <summary>Adds a health check of the registered file store, regardless of the API it was registered with.</summary>
    /// <param name="builder">The health checks builder.</param>
    /// <param name="name">The name of the check.</param>
    /// <param name="serviceKey">The service key of the cache; null for the cache registered without a key.</param>
    /// <remarks>A cache that cannot be opened or is not registered is reported as unhealthy, with the reason. The next check tries to open it again.</remarks>
    public static IHealthChecksBuilder AddDistributedFileStoreCache(this IHealthChecksBuilder builder, string name = "filestore", object? serviceKey = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(
            new HealthCheckRegistration(name, provider => new FileStoreHealthCheck(() => StatusOf(provider, serviceKey)), HealthStatus.Unhealthy, null));
    }

    private static FileStoreStatus StatusOf(IServiceProvider provider, object? serviceKey)
    {
        foreach (
            Type face in (ReadOnlySpan<Type>)
                [
                    typeof(IDistributedFileStoreCacheString),
                    typeof(IDistributedFileStoreCacheClass),
                    typeof(IDistributedFileStoreCacheBytes),
                    typeof(IDistributedCache),
                ])
        {
            switch (serviceKey is null ? provider.GetService(face) : (provider as IKeyedServiceProvider)?.GetKeyedService(face, serviceKey))
            {
                case DistributedFileStoreCacheString texts: return texts.Status;
                case DistributedFileStoreCacheBytes bytes: return bytes.Status;
            }
        }
        throw new InvalidOperationException("No file store is registered. Call AddDistributedFileStoreCache on the services first.");
    }
}
