using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>
/// A cache of texts over one file, shared by the processes of a machine. A read shows every write that had returned before it began.
/// Keys and values are any text, the empty one included, and not null (<see cref="ArgumentNullException"/>).
/// Members that the older library's interface lacks have a body here, so that stubs written for it need no new ones; the cache itself has better.
/// </summary>
public interface IDistributedFileStoreCacheString
{
    /// <summary>The number of entries alive.</summary>
    int Count => GetAllKeyValues().Count;

    /// <summary>The value of <paramref name="key"/>; null where there is none. Never waits for a writer.</summary>
    /// <param name="key">The key.</param>
    string? Get(string key);

    /// <inheritdoc cref="Get"/>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the call.</param>
    Task<string?> GetAsync(string key, CancellationToken token = new());

    /// <summary>Sets value and expiry of <paramref name="key"/>, both.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="options">When the entry ends: relative wins over absolute; sliding is capped by either. Null: never.</param>
    /// <exception cref="ArgumentOutOfRangeException">The absolute expiration is not in the future.</exception>
    /// <exception cref="DistributedFileStoreCacheException">The limit would be passed, or the write lock was not free in time.</exception>
    /// <exception cref="IOException">The file could not be written; nothing was changed.</exception>
    void Set(string key, string value, DistributedCacheEntryOptions? options = null);

    /// <inheritdoc cref="Set"/>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="options">When the entry ends.</param>
    /// <param name="token">Cancels waiting for other writers; a write that has begun is completed.</param>
    Task SetAsync(string key, string value, DistributedCacheEntryOptions? options = null, CancellationToken token = new());

    /// <summary>Sets many entries in one write: other processes see all of them or none.</summary>
    /// <param name="manyEntries">Keys and values; of a key given twice the last counts. Null or empty does nothing.</param>
    /// <param name="options">When each of the entries ends.</param>
    void SetMany(List<KeyValuePair<string, string>> manyEntries, DistributedCacheEntryOptions? options = null);

    /// <inheritdoc cref="SetMany"/>
    /// <param name="manyEntries">Keys and values.</param>
    /// <param name="options">When each of the entries ends.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
    Task SetManyAsync(List<KeyValuePair<string, string>> manyEntries, DistributedCacheEntryOptions? options = null, CancellationToken token = new());

    /// <summary>Removes <paramref name="key"/>; nothing happens where it is not there.</summary>
    /// <param name="key">The key.</param>
    void Remove(string key);

    /// <inheritdoc cref="Remove"/>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
    Task RemoveAsync(string key, CancellationToken token = new());

    /// <summary>Moves the end of a sliding entry as a read does; nothing happens for others.</summary>
    /// <param name="key">The key.</param>
    void Refresh(string key) => Get(key);

    /// <inheritdoc cref="Refresh"/>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the call.</param>
    Task RefreshAsync(string key, CancellationToken token = new()) => GetAsync(key, token);

    /// <summary>Removes all entries and, in the same write, sets the given ones.</summary>
    /// <param name="manyEntries">Entries to begin again with; null for none.</param>
    /// <param name="entryOptions">When each of them ends.</param>
    void ClearAll(List<KeyValuePair<string, string>>? manyEntries = null, DistributedCacheEntryOptions? entryOptions = null);

    /// <inheritdoc cref="ClearAll"/>
    /// <param name="manyEntries">Entries to begin again with.</param>
    /// <param name="entryOptions">When each of them ends.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
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
    /// The keys that start with <paramref name="prefix"/> (ordinal), and their values. Time grows with the entries of the cache, memory with those found.
    /// </summary>
    /// <param name="prefix">The beginning of the keys.</param>
    IReadOnlyDictionary<string, string> GetByPrefix(string prefix) =>
        GetAllKeyValues().Where(e => e.Key.StartsWith(prefix, StringComparison.Ordinal)).ToDictionary();

    /// <summary>Removes many entries in one write: other processes see all of it or nothing.</summary>
    /// <param name="keys">The keys; those that are not there are left out.</param>
    /// <returns>How many entries were removed.</returns>
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
    /// <param name="token">Cancels waiting for other writers.</param>
    Task<int> RemoveManyAsync(IEnumerable<string> keys, CancellationToken token = new()) =>
        token.IsCancellationRequested ? Task.FromCanceled<int>(token) : Task.FromResult(RemoveMany(keys));

    /// <summary>
    /// Removes the entries whose keys start with <paramref name="prefix"/> (ordinal) in one write: those there when the call begins. The empty prefix removes
    /// all.
    /// </summary>
    /// <param name="prefix">The beginning of the keys.</param>
    /// <returns>How many entries were removed.</returns>
    int RemoveByPrefix(string prefix) => RemoveMany(GetByPrefix(prefix).Keys);

    /// <inheritdoc cref="RemoveByPrefix"/>
    /// <param name="prefix">The beginning of the keys.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
    Task<int> RemoveByPrefixAsync(string prefix, CancellationToken token = new()) => RemoveManyAsync(GetByPrefix(prefix).Keys, token);

    /// <summary>
    /// The value of <paramref name="key"/>, made by <paramref name="factory"/> and set where there is none. Callers of this process that ask for one key at the
    /// same time share one call.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the value from the key. Must not ask for the same key again.</param>
    /// <param name="options">When a new entry ends.</param>
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
    /// <param name="factory">Makes the value; its token is cancelled once no caller waits any more.</param>
    /// <param name="options">When a new entry ends.</param>
    /// <param name="token">Ends this caller's waiting.</param>
    Task<string> GetOrCreateAsync(
        string key,
        Func<string, CancellationToken, Task<string>> factory,
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
    bool CompareAndSet(string key, string? expected, string? value, DistributedCacheEntryOptions? options = null) =>
        throw new NotSupportedException($"{GetType().Name} does not offer {nameof(CompareAndSet)}.");

    /// <inheritdoc cref="CompareAndSet"/>
    /// <param name="key">The key.</param>
    /// <param name="expected">What must be there; null: nothing.</param>
    /// <param name="value">What is to be there; null: nothing.</param>
    /// <param name="options">When the entry ends.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
    Task<bool> CompareAndSetAsync(string key, string? expected, string? value, DistributedCacheEntryOptions? options = null, CancellationToken token = new()) =>
        Task.FromException<bool>(new NotSupportedException($"{GetType().Name} does not offer {nameof(CompareAndSetAsync)}."));
}
