using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore.Examples.TwoProcesses;

/// <summary>
/// ASP.NET Core's output cache over the file store: each page under <c>page:KEY</c>, and for each of its tags an empty entry
/// <c>tag:TAG\nKEY</c> by which eviction finds it, from whichever process.
/// </summary>
internal sealed class FileOutputCacheStore([FromKeyedServices("pages")] IDistributedFileStoreCacheBytes cache) : IOutputCacheStore
{
    public async ValueTask<byte[]?> GetAsync(string key, CancellationToken cancellationToken) =>
        await cache.GetAsync("page:" + key, cancellationToken);

    public async ValueTask SetAsync(string key, byte[] value, string[]? tags, TimeSpan validFor, CancellationToken cancellationToken)
    {
        DistributedCacheEntryOptions options = new() { AbsoluteExpirationRelativeToNow = validFor };
        // Tags first: a page that is seen can be evicted.
        foreach (string tag in tags ?? [])
        {
            await cache.SetAsync(TagPrefix(tag) + key, [], options, cancellationToken);
        }
        await cache.SetAsync("page:" + key, value, options, cancellationToken);
    }

    public async ValueTask EvictByTagAsync(string tag, CancellationToken cancellationToken)
    {
        string prefix = TagPrefix(tag);
        foreach (string entry in cache.GetByPrefix(prefix).Keys)
        {
            await cache.RemoveAsync("page:" + entry[prefix.Length..], cancellationToken);
            await cache.RemoveAsync(entry, cancellationToken);
        }
    }

    private static string TagPrefix(string tag) => $"tag:{tag}\n";
}
