using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>
/// A cache of strings in one file that the processes of a machine share. A read reflects every write that completed before the read began. Keys and values
/// may be any string, including the empty string, but not null (<see cref="ArgumentNullException"/>). Members that the interface of
/// Net.DistributedFileStoreCache lacks have default implementations, so that existing stubs still compile. The cache itself implements these members more
/// efficiently.
/// </summary>
public interface IDistributedFileStoreCacheString
{
    /// <summary>Gets the number of live entries.</summary>
    int Count => GetAllKeyValues().Count;

    /// <summary>Returns the value of <paramref name="key"/>; null if the key is missing. Never waits for a writer.</summary>
    /// <param name="key">The key.</param>
    string? Get(string key);

    /// <inheritdoc cref="Get"/>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the call.</param>
    Task<string?> GetAsync(string key, CancellationToken token = new());

    /// <summary>Sets the value and the expiration of <paramref name="key"/>.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="options">
    /// The expiration options. A relative expiration takes precedence over an absolute expiration. Either of them limits a sliding expiration. Null means that
    /// the entry never expires.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">The absolute expiration is not in the future.</exception>
    /// <exception cref="DistributedFileStoreCacheException">The size limit would be exceeded, or the write lock was not free before the timeout.</exception>
    /// <exception cref="IOException">The file could not be written; nothing was changed.</exception>
    void Set(string key, string value, DistributedCacheEntryOptions? options = null);

    /// <inheritdoc cref="Set"/>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="options">The expiration options of the entry.</param>
    /// <param name="token">Cancels the wait for other writers. A write that has begun is completed.</param>
    Task SetAsync(string key, string value, DistributedCacheEntryOptions? options = null, CancellationToken token = new());

    /// <summary>Sets many entries in one write. Other processes see all of the new entries or none.</summary>
    /// <param name="manyEntries">The keys and values. If a key occurs twice, the last value wins. Null or empty does nothing.</param>
    /// <param name="options">The expiration options of each entry.</param>
    void SetMany(List<KeyValuePair<string, string>> manyEntries, DistributedCacheEntryOptions? options = null);

    /// <inheritdoc cref="SetMany"/>
    /// <param name="manyEntries">The keys and values.</param>
    /// <param name="options">The expiration options of each entry.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    Task SetManyAsync(List<KeyValuePair<string, string>> manyEntries, DistributedCacheEntryOptions? options = null, CancellationToken token = new());

    /// <summary>Removes <paramref name="key"/>. Does nothing if the key is missing.</summary>
    /// <param name="key">The key.</param>
    void Remove(string key);

    /// <inheritdoc cref="Remove"/>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    Task RemoveAsync(string key, CancellationToken token = new());

    /// <summary>Restarts the sliding expiration of an entry, as a read does. Does nothing for other entries.</summary>
    /// <param name="key">The key.</param>
    void Refresh(string key) => Get(key);

    /// <inheritdoc cref="Refresh"/>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the call.</param>
    Task RefreshAsync(string key, CancellationToken token = new()) => GetAsync(key, token);

    /// <summary>Removes all entries and sets the given entries, in one write.</summary>
    /// <param name="manyEntries">The entries to set; null for none.</param>
    /// <param name="entryOptions">The expiration options of each entry.</param>
    void ClearAll(List<KeyValuePair<string, string>>? manyEntries = null, DistributedCacheEntryOptions? entryOptions = null);

    /// <inheritdoc cref="ClearAll"/>
    /// <param name="manyEntries">The entries to set; null for none.</param>
    /// <param name="entryOptions">The expiration options of each entry.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    Task ClearAllAsync(
        List<KeyValuePair<string, string>>? manyEntries = null,
        DistributedCacheEntryOptions? entryOptions = null,
        CancellationToken token = new())
    {
        token.ThrowIfCancellationRequested();
        ClearAll(manyEntries, entryOptions);
        return Task.CompletedTask;
    }

    /// <summary>
    /// Returns all keys and values that have not expired, in the order in which the keys were added, as a snapshot that never changes. The same object is
    /// returned until an entry changes. Entries set as bytes are included if they are valid UTF-8.
    /// </summary>
    IReadOnlyDictionary<string, string> GetAllKeyValues();

    /// <inheritdoc cref="GetAllKeyValues"/>
    /// <param name="token">Cancels the call.</param>
    Task<IReadOnlyDictionary<string, string>> GetAllKeyValuesAsync(CancellationToken token = new());

    /// <summary>
    /// Returns the keys that start with <paramref name="prefix"/> (ordinal comparison), with their values. The time that the call takes grows with the number
    /// of entries in the cache. The memory that it needs grows with the number of entries returned.
    /// </summary>
    /// <param name="prefix">The prefix of the keys.</param>
    IReadOnlyDictionary<string, string> GetByPrefix(string prefix) =>
        GetAllKeyValues().Where(e => e.Key.StartsWith(prefix, StringComparison.Ordinal)).ToDictionary();

    /// <summary>Removes many entries in one write. Other processes see all of the removals or none.</summary>
    /// <param name="keys">The keys; missing keys are ignored.</param>
    /// <returns>The number of entries removed.</returns>
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

    /// <inheritdoc cref="RemoveMany"/>
    /// <param name="keys">The keys.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    Task<int> RemoveManyAsync(IEnumerable<string> keys, CancellationToken token = new()) =>
        token.IsCancellationRequested ? Task.FromCanceled<int>(token) : Task.FromResult(RemoveMany(keys));

    /// <summary>
    /// Removes the entries whose keys start with <paramref name="prefix"/> (ordinal comparison) in one write. Entries added after the call began are kept. The
    /// empty prefix removes all entries.
    /// </summary>
    /// <param name="prefix">The prefix of the keys.</param>
    /// <returns>The number of entries removed.</returns>
    int RemoveByPrefix(string prefix) => RemoveMany(GetByPrefix(prefix).Keys);

    /// <inheritdoc cref="RemoveByPrefix"/>
    /// <param name="prefix">The prefix of the keys.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    Task<int> RemoveByPrefixAsync(string prefix, CancellationToken token = new()) => RemoveManyAsync(GetByPrefix(prefix).Keys, token);

    /// <summary>
    /// Returns the value of <paramref name="key"/>. If the key is missing, creates the value with <paramref name="factory"/> and sets it. Concurrent callers of
    /// this process for the same key share one factory call.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="factory">Creates the value for the key. It must not request the same key itself.</param>
    /// <param name="options">The expiration options of a new entry.</param>
    string GetOrCreate(string key, Func<string, string> factory, DistributedCacheEntryOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(factory);
        if (Get(key) is { } found)
        {
            return found;
        }
        string value = factory(key) ?? throw FactoryResult.Null(key);
        Set(key, value, options);
        return value;
    }

    /// <inheritdoc cref="GetOrCreate"/>
    /// <param name="key">The key.</param>
    /// <param name="factory">Creates the value. Its token is cancelled when no caller is waiting any longer.</param>
    /// <param name="options">The expiration options of a new entry.</param>
    /// <param name="token">Cancels the wait of this caller.</param>
    Task<string> GetOrCreateAsync(
        string key,
        Func<string, CancellationToken, Task<string>> factory,
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
    bool CompareAndSet(string key, string? expected, string? value, DistributedCacheEntryOptions? options = null) =>
        throw new NotSupportedException($"{GetType().Name} does not support {nameof(CompareAndSet)}.");

    /// <inheritdoc cref="CompareAndSet"/>
    /// <param name="key">The key.</param>
    /// <param name="expected">The expected value; null if the key must be missing.</param>
    /// <param name="value">The new value; null to remove the key.</param>
    /// <param name="options">The expiration options of the entry.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    Task<bool> CompareAndSetAsync(string key, string? expected, string? value, DistributedCacheEntryOptions? options = null, CancellationToken token = new()) =>
        Task.FromException<bool>(new NotSupportedException($"{GetType().Name} does not support {nameof(CompareAndSetAsync)}."));
}
