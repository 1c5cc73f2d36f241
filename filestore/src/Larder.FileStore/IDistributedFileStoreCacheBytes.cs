using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>
/// A cache of exact bytes, of any length and content, behind Microsoft's two interfaces and with what those lack. Arrays are copied
/// in and out: changing one changes nothing in the cache.
/// </summary>
public interface IDistributedFileStoreCacheBytes : IBufferDistributedCache
{
    /// <summary>The number of entries alive.</summary>
    int Count { get; }

    /// <summary>Removes all entries.</summary>
    void ClearAll();

    /// <inheritdoc cref="ClearAll"/>
    /// <param name="token">Cancels waiting for other writers.</param>
    Task ClearAllAsync(CancellationToken token = new());

    /// <summary>All keys and values alive now, copied.</summary>
    Dictionary<string, byte[]> GetAllKeyValues();

    /// <inheritdoc cref="GetAllKeyValues"/>
    /// <param name="token">Cancels the call.</param>
    Task<IReadOnlyDictionary<string, byte[]>> GetAllKeyValuesAsync(CancellationToken token = new());

    /// <summary>The keys that start with <paramref name="prefix"/> (ordinal), and copies of their values.</summary>
    /// <param name="prefix">The beginning of the keys.</param>
    IReadOnlyDictionary<string, byte[]> GetByPrefix(string prefix);

    /// <summary>The value of <paramref name="key"/>, made by <paramref name="factory"/> and set where there is none. Callers of this process that ask for one key at the same time share one call.</summary>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the value from the key; null throws <see cref="InvalidOperationException"/>. Must not ask for the same key again.</param>
    /// <param name="options">When a new entry ends.</param>
    byte[] GetOrCreate(string key, Func<string, byte[]> factory, DistributedCacheEntryOptions? options = null);

    /// <inheritdoc cref="GetOrCreate"/>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the value; its token is cancelled once no caller waits any more.</param>
    /// <param name="options">When a new entry ends.</param>
    /// <param name="token">Ends this caller's waiting.</param>
    Task<byte[]> GetOrCreateAsync(string key, Func<string, CancellationToken, Task<byte[]>> factory, DistributedCacheEntryOptions? options = null, CancellationToken token = new());

    /// <summary>Sets <paramref name="key"/> to <paramref name="value"/> if it holds <paramref name="expected"/>; at most one of several processes doing so succeeds.</summary>
    /// <param name="key">The key.</param>
    /// <param name="expected">What must be there; null: nothing.</param>
    /// <param name="value">What is to be there; null: nothing.</param>
    /// <param name="options">When the entry ends.</param>
    /// <returns>True if it was set.</returns>
    bool CompareAndSet(string key, byte[]? expected, byte[]? value, DistributedCacheEntryOptions? options = null);

    /// <inheritdoc cref="CompareAndSet"/>
    /// <param name="key">The key.</param>
    /// <param name="expected">What must be there; null: nothing.</param>
    /// <param name="value">What is to be there; null: nothing.</param>
    /// <param name="options">When the entry ends.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
    Task<bool> CompareAndSetAsync(string key, byte[]? expected, byte[]? value, DistributedCacheEntryOptions? options = null, CancellationToken token = new());
}
