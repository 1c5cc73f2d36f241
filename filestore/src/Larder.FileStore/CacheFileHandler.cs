using Larder.FileStore.Engine;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>An open cache file, shared by the string, class and byte APIs. Thread-safe.</summary>
public sealed class CacheFileHandler : IDisposable
{
    private static readonly Task<string?> NoText = Task.FromResult<string?>(null);

    /// <summary>Opens the cache file; creates the folder and the file if they do not exist.</summary>
    /// <param name="options">The settings.</param>
    /// <exception cref="DistributedFileStoreCacheException">The file cannot be used; the message names the file and the remedy.</exception>
    public CacheFileHandler(DistributedFileStoreCacheOptions options)
        : this(CacheEngine.Open(options.ToSettings()))
    {
    }

    internal CacheFileHandler(CacheEngine engine) => Engine = engine;

    internal CacheEngine Engine { get; }

    /// <summary>Gets the state of the cache, for health checks and status pages.</summary>
    public FileStoreStatus Status => FileStoreStatus.Of(Engine);

    /// <summary>Returns the value of <paramref name="key"/>, or null if the key is missing or expired.</summary>
    /// <param name="key">The key.</param>
    public string? GetValue(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        Entry? entry = Engine.Find(key);
        object? value = entry?.Value;
        if (Instruments.Hits.Enabled)
        {
            Instruments.Count(value is not null);
        }
        return value is string text ? text : CacheEngine.TextOf(entry);
    }

    /// <summary>
    /// Returns the value of <paramref name="key"/>, or null if the key is missing or expired. The completed task is cached in the entry, so only the first call
    /// for an entry allocates.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the call.</param>
    public Task<string?> GetValueAsync(string key, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (token.IsCancellationRequested)
        {
            return Task.FromCanceled<string?>(token);
        }
        Entry? entry = Engine.Find(key);
        if (Instruments.Hits.Enabled)
        {
            Instruments.Count(entry?.Value is not null);
        }
        return entry is null ? NoText : entry.Completed ?? Complete(entry);
    }

    /// <summary>Returns an immutable snapshot of all live keys and values. Omits values that were set as bytes and are not valid text.</summary>
    public IReadOnlyDictionary<string, string> GetAllValues() => Engine.AllTexts();

    /// <inheritdoc cref="GetAllValues"/>
    /// <param name="token">Cancels the call.</param>
    public Task<IReadOnlyDictionary<string, string>> GetAllValuesAsync(CancellationToken token = default) =>
        token.IsCancellationRequested ? Task.FromCanceled<IReadOnlyDictionary<string, string>>(token) : Task.FromResult(Engine.AllTexts());

    /// <summary>Sets one entry.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="options">The expiration options. Null means that the entry never expires.</param>
    public void SetKeyValue(string key, string value, DistributedCacheEntryOptions? options = null) => SetObject(key, value, options);

    /// <inheritdoc cref="SetKeyValue"/>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="options">The expiration options. Null means that the entry never expires.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    public Task SetKeyValueAsync(string key, string value, DistributedCacheEntryOptions? options = null, CancellationToken token = default) =>
        SetObjectAsync(key, value, options, token);

    /// <summary>Sets many entries in one write.</summary>
    /// <param name="manyEntries">Keys and values; null or empty does nothing.</param>
    /// <param name="options">The expiration options of each entry. Null means that the entries never expire.</param>
    public void SetKeyValueMany(IReadOnlyCollection<KeyValuePair<string, string>>? manyEntries, DistributedCacheEntryOptions? options = null)
    {
        if (manyEntries is { Count: > 0 })
        {
            SetManyMutation mutation = new(Objects(manyEntries), Expiry.From(options, Engine.Clock), clear: false);
            Engine.Write(ref mutation);
        }
    }

    /// <inheritdoc cref="SetKeyValueMany"/>
    /// <param name="manyEntries">Keys and values; null or empty does nothing.</param>
    /// <param name="options">The expiration options of each entry. Null means that the entries never expire.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    public Task SetKeyValueManyAsync(
        IReadOnlyCollection<KeyValuePair<string, string>>? manyEntries,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = default)
    {
        if (token.IsCancellationRequested)
        {
            return Task.FromCanceled(token);
        }
        return manyEntries is { Count: > 0 }
            ? Engine.WriteAsync(new SetManyMutation(Objects(manyEntries), Expiry.From(options, Engine.Clock), clear: false), token)
            : Task.CompletedTask;
    }

    /// <summary>Removes one entry.</summary>
    /// <param name="key">The key.</param>
    public void RemoveKeyValue(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        RemoveMutation mutation = new(key);
        Engine.Write(ref mutation);
    }

    /// <inheritdoc cref="RemoveKeyValue"/>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    public Task RemoveKeyValueAsync(string key, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        return Engine.WriteAsync(new RemoveMutation(key), token);
    }

    /// <summary>Removes many entries in one write. Returns the number of entries removed.</summary>
    /// <param name="keys">The keys.</param>
    public int RemoveKeyValueMany(IEnumerable<string> keys)
    {
        RemoveManyMutation mutation = new(Keys(keys));
        Engine.Write(ref mutation);
        return mutation.Removed;
    }

    /// <inheritdoc cref="RemoveKeyValueMany"/>
    /// <param name="keys">The keys.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    public async Task<int> RemoveKeyValueManyAsync(IEnumerable<string> keys, CancellationToken token = default)
    {
        RemoveManyMutation mutation = new(Keys(keys));
        await Engine.WriteAsync(mutation, token).ConfigureAwait(false);
        return mutation.Removed;
    }

    /// <summary>
    /// Removes the entries whose keys start with <paramref name="prefix"/> in one write. Entries added after the call began are kept. Returns the number of
    /// entries removed.
    /// </summary>
    /// <param name="prefix">The prefix of the keys.</param>
    public int RemoveByPrefix(string prefix) => RemoveKeyValueMany(KeysWith(prefix));

    /// <inheritdoc cref="RemoveByPrefix"/>
    /// <param name="prefix">The prefix of the keys.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    public Task<int> RemoveByPrefixAsync(string prefix, CancellationToken token = default) => RemoveKeyValueManyAsync(KeysWith(prefix), token);

    /// <summary>Removes all entries and sets the given entries, in one write.</summary>
    /// <param name="manyEntries">The entries to set; null for none.</param>
    /// <param name="entryOptions">The expiration options of each entry. Null means that the entries never expire.</param>
    public void ResetCacheFile(IReadOnlyCollection<KeyValuePair<string, string>>? manyEntries = null, DistributedCacheEntryOptions? entryOptions = null)
    {
        SetManyMutation mutation = Reset(manyEntries, entryOptions);
        Engine.Write(ref mutation);
    }

    /// <inheritdoc cref="ResetCacheFile"/>
    /// <param name="manyEntries">The entries to set; null for none.</param>
    /// <param name="entryOptions">The expiration options of each entry. Null means that the entries never expire.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    public Task ResetCacheFileAsync(
        IReadOnlyCollection<KeyValuePair<string, string>>? manyEntries = null,
        DistributedCacheEntryOptions? entryOptions = null,
        CancellationToken token = default) => Engine.WriteAsync(Reset(manyEntries, entryOptions), token);

    /// <summary>
    /// Checks immediately whether the file was deleted or replaced, and creates a new file if it is missing. The cache also makes this check automatically
    /// every second.
    /// </summary>
    public void CreateNewCacheFileIfMissingWithRetry() => Engine.CheckIdentityNow();

    /// <summary>
    /// Rewrites the file without lines that later changes or expirations made obsolete. Returns false if another process is already compacting it.
    /// </summary>
    public bool Compact() => Engine.Compact();

    /// <summary>Closes the file. Later calls throw <see cref="ObjectDisposedException"/>. Other processes that have the file open are not affected.</summary>
    public void Dispose() => Engine.Dispose();

    internal void SetObject(string key, object value, DistributedCacheEntryOptions? options)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(value);
        Engine.RequireFits(LengthOf(value));
        SetMutation mutation = new(key, value, Expiry.From(options, Engine.Clock));
        Engine.Write(ref mutation);
    }

    internal Task SetObjectAsync(string key, object value, DistributedCacheEntryOptions? options, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(value);
        if (token.IsCancellationRequested)
        {
            return Task.FromCanceled(token);
        }
        Engine.RequireFits(LengthOf(value));
        return Engine.WriteAsync(new SetMutation(key, value, Expiry.From(options, Engine.Clock)), token);
    }

    /// <summary>Restarts the sliding expiration of an entry, as a read does.</summary>
    internal void Refresh(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        Engine.RequireWritable();
        Engine.Find(key);
    }

    internal Task RefreshAsync(string key, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (token.IsCancellationRequested)
        {
            return Task.FromCanceled(token);
        }
        Refresh(key);
        return Task.CompletedTask;
    }

    internal bool CompareAndSet(string key, object? expected, object? value, DistributedCacheEntryOptions? options)
    {
        ArgumentNullException.ThrowIfNull(key);
        CompareAndSetMutation mutation = new(key, expected, value, Expiry.From(options, Engine.Clock));
        return Engine.Write(ref mutation);
    }

    internal Task<bool> CompareAndSetAsync(string key, object? expected, object? value, DistributedCacheEntryOptions? options, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(key);
        return Engine.WriteAsync(new CompareAndSetMutation(key, expected, value, Expiry.From(options, Engine.Clock)), token);
    }

    private static Task<string?> Complete(Entry entry)
    {
        string? text = CacheEngine.TextOf(entry);
        return text is null ? NoText : entry.Completed = Task.FromResult<string?>(text);
    }

    private IEnumerable<string> KeysWith(string prefix)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        return Engine.WithPrefix(prefix).Select(entry => entry.Key);
    }

    private static HashSet<string> Keys(IEnumerable<string> keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        HashSet<string> all = [];
        foreach (string key in keys)
        {
            ArgumentNullException.ThrowIfNull(key, nameof(keys));
            all.Add(key);
        }
        return all;
    }

    private static long LengthOf(object value) => value is string text ? text.Length : ((byte[])value).Length;

    private SetManyMutation Reset(IReadOnlyCollection<KeyValuePair<string, string>>? manyEntries, DistributedCacheEntryOptions? entryOptions) =>
        new(Objects(manyEntries ?? []), Expiry.From(entryOptions, Engine.Clock), clear: true);

    private static KeyValuePair<string, object>[] Objects(IReadOnlyCollection<KeyValuePair<string, string>> entries)
    {
        KeyValuePair<string, object>[] objects = new KeyValuePair<string, object>[entries.Count];
        int i = 0;
        foreach ((string key, string value) in entries)
        {
            ArgumentNullException.ThrowIfNull(key);
            ArgumentNullException.ThrowIfNull(value);
            objects[i++] = new KeyValuePair<string, object>(key, value);
        }
        return objects;
    }
}
