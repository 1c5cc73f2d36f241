using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore.Examples.TwoProcesses;

/// <summary>
/// Stores ASP.NET Core's output cache in the file store. Each page has the key <c>page:KEY</c>. For each of its tags there is an empty entry
/// <c>tag:TAG\nKEY</c>, by which any process can find and evict the page.
/// </summary>
internal sealed class FileOutputCacheStore([FromKeyedServices("pages")] IDistributedFileStoreCacheBytes cache) : IOutputCacheStore
{
    public async ValueTask<byte[]?> GetAsync(string key, CancellationToken cancellationToken) =>
        await cache.GetAsync("page:" + key, cancellationToken);

    public async ValueTask SetAsync(string key, byte[] value, string[]? tags, TimeSpan validFor, CancellationToken cancellationToken)
    {
        DistributedCacheEntryOptions options = new() { AbsoluteExpirationRelativeToNow = validFor };
        // Set the tags before the page, so that every visible page can be evicted by its tags.
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
