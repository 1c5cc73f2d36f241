using System.Buffers;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>
/// A cache of byte arrays of any length and content. Extends <see cref="IDistributedCache"/> and <see cref="IBufferDistributedCache"/> with the operations
/// that they lack. Arrays are copied when they are stored and when they are returned, so changing an array does not change the cache. Members that the
/// interface of Net.DistributedFileStoreCache lacks have default implementations, so that existing stubs still compile. The cache itself implements these
/// members more efficiently.
/// </summary>
public interface IDistributedFileStoreCacheBytes : IBufferDistributedCache
{
    /// <summary>Gets the number of live entries.</summary>
    int Count => GetAllKeyValues().Count;

    /// <summary>Removes all entries.</summary>
    void ClearAll();

    /// <inheritdoc cref="ClearAll"/>
    /// <param name="token">Cancels the wait for other writers.</param>
    Task ClearAllAsync(CancellationToken token = new())
    {
        token.ThrowIfCancellationRequested();
        ClearAll();
        return Task.CompletedTask;
    }

    /// <summary>Returns copies of all live keys and values.</summary>
    Dictionary<string, byte[]> GetAllKeyValues();

    /// <inheritdoc cref="GetAllKeyValues"/>
    Task<IReadOnlyDictionary<string, byte[]>> GetAllKeyValuesAsync();

    /// <inheritdoc cref="GetAllKeyValues"/>
    /// <param name="token">Cancels the call.</param>
    Task<IReadOnlyDictionary<string, byte[]>> GetAllKeyValuesAsync(CancellationToken token) =>
        token.IsCancellationRequested ? Task.FromCanceled<IReadOnlyDictionary<string, byte[]>>(token) : GetAllKeyValuesAsync();

    /// <summary>Returns the keys that start with <paramref name="prefix"/> (ordinal comparison), with copies of their values.</summary>
    /// <param name="prefix">The prefix of the keys.</param>
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
    /// Returns the value of <paramref name="key"/>. If the key is missing, creates the value with <paramref name="factory"/> and sets it. Concurrent callers of
    /// this process for the same key share one factory call.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="factory">
    /// Creates the value for the key; a null result throws <see cref="InvalidOperationException"/>. It must not request the same key itself.
    /// </param>
    /// <param name="options">The expiration options of a new entry.</param>
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
    /// <param name="factory">Creates the value. Its token is cancelled when no caller is waiting any longer.</param>
    /// <param name="options">The expiration options of a new entry.</param>
    /// <param name="token">Cancels the wait of this caller.</param>
    Task<byte[]> GetOrCreateAsync(
        string key,
        Func<string, CancellationToken, Task<byte[]>> factory,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new()) => FactoryResult.GetOrCreateAsync(this, key, factory, options, token);

    /// <summary>
    /// Sets <paramref name="key"/> to <paramref name="value"/> if its current value equals <paramref name="expected"/>. The comparison and the change are one
    /// atomic operation, also across processes.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="expected">The expected value; null if the key must be missing.</param>
    /// <param name="value">The new value; null to remove the key.</param>
    /// <param name="options">The expiration options of the entry.</param>
    /// <returns>True if the value was set or removed.</returns>
    /// <exception cref="NotSupportedException">The implementation is a stub, which cannot do this atomically.</exception>
    bool CompareAndSet(string key, byte[]? expected, byte[]? value, DistributedCacheEntryOptions? options = null) =>
        throw new NotSupportedException($"{GetType().Name} does not support {nameof(CompareAndSet)}.");

    /// <inheritdoc cref="CompareAndSet"/>
    /// <param name="key">The key.</param>
    /// <param name="expected">The expected value; null if the key must be missing.</param>
    /// <param name="value">The new value; null to remove the key.</param>
    /// <param name="options">The expiration options of the entry.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    Task<bool> CompareAndSetAsync(string key, byte[]? expected, byte[]? value, DistributedCacheEntryOptions? options = null, CancellationToken token = new()) =>
        Task.FromException<bool>(new NotSupportedException($"{GetType().Name} does not support {nameof(CompareAndSetAsync)}."));

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
