using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Larder.FileStore;

/// <summary>Adds the file store's health check.</summary>
public static class FileStoreHealthChecksBuilderExtensions
{
    /// <summary>Checks the registered file store, whichever its face.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="name">The check's name.</param>
    /// <param name="serviceKey">The cache's service key; null for the cache registered without one.</param>
    /// <remarks>A cache that cannot be opened, or that is not registered, is unhealthy, with the reason; the next check tries again.</remarks>
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
