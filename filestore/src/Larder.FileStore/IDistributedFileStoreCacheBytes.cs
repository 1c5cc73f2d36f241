using System.Buffers;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>
/// A cache of exact bytes, of any length and content, behind Microsoft's two interfaces and with what those lack. Arrays are copied
/// in and out: changing one changes nothing in the cache. Members that the older library's interface lacks have a body here, so that stubs written for
/// it need no new ones; the cache itself has better.
/// </summary>
public interface IDistributedFileStoreCacheBytes : IBufferDistributedCache
{
    /// <summary>The number of entries alive.</summary>
    int Count => GetAllKeyValues().Count;

    /// <summary>Removes all entries.</summary>
    void ClearAll();

    /// <inheritdoc cref="ClearAll"/>
    /// <param name="token">Cancels waiting for other writers.</param>
    Task ClearAllAsync(CancellationToken token = new())
    {
        token.ThrowIfCancellationRequested();
        ClearAll();
        return Task.CompletedTask;
    }

    /// <summary>All keys and values alive now, copied.</summary>
    Dictionary<string, byte[]> GetAllKeyValues();

    /// <inheritdoc cref="GetAllKeyValues"/>
    Task<IReadOnlyDictionary<string, byte[]>> GetAllKeyValuesAsync();

    /// <inheritdoc cref="GetAllKeyValues"/>
    /// <param name="token">Cancels the call.</param>
    Task<IReadOnlyDictionary<string, byte[]>> GetAllKeyValuesAsync(CancellationToken token) =>
        token.IsCancellationRequested ? Task.FromCanceled<IReadOnlyDictionary<string, byte[]>>(token) : GetAllKeyValuesAsync();

    /// <summary>The keys that start with <paramref name="prefix"/> (ordinal), and copies of their values.</summary>
    /// <param name="prefix">The beginning of the keys.</param>
    IReadOnlyDictionary<string, byte[]> GetByPrefix(string prefix) =>
        GetAllKeyValues().Where(e => e.Key.StartsWith(prefix, StringComparison.Ordinal)).ToDictionary();

    /// <inheritdoc cref="IDistributedFileStoreCacheString.RemoveMany"/>
    int RemoveMany(IEnumerable<string> keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        return keys.Count(key =>
        {
            bool found = Get(key) is not null;
            Remove(key);
            return found;
        });
    }

    /// <inheritdoc cref="IDistributedFileStoreCacheString.RemoveManyAsync"/>
    Task<int> RemoveManyAsync(IEnumerable<string> keys, CancellationToken token = new()) =>
        token.IsCancellationRequested ? Task.FromCanceled<int>(token) : Task.FromResult(RemoveMany(keys));

    /// <inheritdoc cref="IDistributedFileStoreCacheString.RemoveByPrefix"/>
    int RemoveByPrefix(string prefix) => RemoveMany(GetByPrefix(prefix).Keys);

    /// <inheritdoc cref="IDistributedFileStoreCacheString.RemoveByPrefixAsync"/>
    Task<int> RemoveByPrefixAsync(string prefix, CancellationToken token = new()) => RemoveManyAsync(GetByPrefix(prefix).Keys, token);

    /// <summary>
    /// The value of <paramref name="key"/>, made by <paramref name="factory"/> and set where there is none. Callers of this process that ask for one key at the
    /// same time share one call.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the value from the key; null throws <see cref="InvalidOperationException"/>. Must not ask for the same key again.</param>
    /// <param name="options">When a new entry ends.</param>
    byte[] GetOrCreate(string key, Func<string, byte[]> factory, DistributedCacheEntryOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(factory);
        if (Get(key) is { } found)
        {
            return found;
        }
        byte[] value = factory(key) ?? throw FactoryResult.Null(key);
        Set(key, value, options ?? new());
        return value;
    }

    /// <inheritdoc cref="GetOrCreate"/>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the value; its token is cancelled once no caller waits any more.</param>
    /// <param name="options">When a new entry ends.</param>
    /// <param name="token">Ends this caller's waiting.</param>
    Task<byte[]> GetOrCreateAsync(
        string key,
        Func<string, CancellationToken, Task<byte[]>> factory,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new()) => FactoryResult.GetOrCreateAsync(this, key, factory, options, token);

    /// <summary>
    /// Sets <paramref name="key"/> to <paramref name="value"/> if it holds <paramref name="expected"/>; at most one of several processes doing so succeeds.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="expected">What must be there; null: nothing.</param>
    /// <param name="value">What is to be there; null: nothing.</param>
    /// <param name="options">When the entry ends.</param>
    /// <returns>True if it was set.</returns>
    /// <exception cref="NotSupportedException">A stub does not offer it: reading and then setting would promise too much.</exception>
    bool CompareAndSet(string key, byte[]? expected, byte[]? value, DistributedCacheEntryOptions? options = null) =>
        throw new NotSupportedException($"{GetType().Name} does not offer {nameof(CompareAndSet)}.");

    /// <inheritdoc cref="CompareAndSet"/>
    /// <param name="key">The key.</param>
    /// <param name="expected">What must be there; null: nothing.</param>
    /// <param name="value">What is to be there; null: nothing.</param>
    /// <param name="options">When the entry ends.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
    Task<bool> CompareAndSetAsync(string key, byte[]? expected, byte[]? value, DistributedCacheEntryOptions? options = null, CancellationToken token = new()) =>
        Task.FromException<bool>(new NotSupportedException($"{GetType().Name} does not offer {nameof(CompareAndSetAsync)}."));

    bool IBufferDistributedCache.TryGet(string key, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        byte[]? found = Get(key);
        destination.Write(found);
        return found is not null;
    }

    async ValueTask<bool> IBufferDistributedCache.TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(destination);
        byte[]? found = await GetAsync(key, token).ConfigureAwait(false);
        destination.Write(found);
        return found is not null;
    }

    void IBufferDistributedCache.Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options) => Set(key, value.ToArray(), options);

    ValueTask IBufferDistributedCache.SetAsync(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options, CancellationToken token) =>
        new(SetAsync(key, value.ToArray(), options, token));
}
