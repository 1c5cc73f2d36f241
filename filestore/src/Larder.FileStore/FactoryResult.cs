using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>The default implementations of GetOrCreateAsync for stubs of the cache interfaces.</summary>
internal static class FactoryResult
{
    internal static InvalidOperationException Null(string key) => new($"The factory returned null for the key '{key}'; it must return a value.");

    internal static async Task<string> GetOrCreateAsync(
        IDistributedFileStoreCacheString cache,
        string key,
        Func<string, CancellationToken, Task<string>> factory,
        DistributedCacheEntryOptions? options,
        CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(factory);
        if (await cache.GetAsync(key, token).ConfigureAwait(false) is { } found)
        {
            return found;
        }
        string value = await factory(key, token).ConfigureAwait(false) ?? throw Null(key);
        await cache.SetAsync(key, value, options, token).ConfigureAwait(false);
        return value;
    }

    internal static async Task<byte[]> GetOrCreateAsync(
        IDistributedFileStoreCacheBytes cache,
        string key,
        Func<string, CancellationToken, Task<byte[]>> factory,
        DistributedCacheEntryOptions? options,
        CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(factory);
        if (await cache.GetAsync(key, token).ConfigureAwait(false) is { } found)
        {
            return found;
        }
        byte[] value = await factory(key, token).ConfigureAwait(false) ?? throw Null(key);
        await cache.SetAsync(key, value, options ?? new(), token).ConfigureAwait(false);
        return value;
    }

    internal static async Task<T> GetOrCreateAsync<T>(
        Func<Task<T?>> get,
        string key,
        Func<string, CancellationToken, Task<T>> factory,
        Func<T, Task> set,
        CancellationToken token)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(factory);
        if (await get().ConfigureAwait(false) is { } found)
        {
            return found;
        }
        T value = await factory(key, token).ConfigureAwait(false) ?? throw Null(key);
        await set(value).ConfigureAwait(false);
        return value;
    }
}
