using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using Larder.FileStore.Engine;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>The string API of the cache.</summary>
public class DistributedFileStoreCacheString : IDistributedFileStoreCacheString, IDisposable
{
    /// <summary>The open cache file.</summary>
    [SuppressMessage("Design", "CA1051", Justification = "A member of the older library that classes derived from this one use.")]
    protected readonly CacheFileHandler CacheFileHandler;
    private readonly SingleFlight<string> _flights = new();

    /// <summary>Opens the cache file; creates the folder and the file if they do not exist.</summary>
    /// <param name="options">The settings.</param>
    /// <exception cref="DistributedFileStoreCacheException">The file cannot be used; the message names the file and the remedy.</exception>
    public DistributedFileStoreCacheString(DistributedFileStoreCacheOptions options)
        : this(new CacheFileHandler(options))
    {
    }

    internal DistributedFileStoreCacheString(CacheFileHandler handler) => CacheFileHandler = handler;

    /// <inheritdoc/>
    public int Count => CacheFileHandler.Engine.Count;

    /// <summary>Gets the state of the cache.</summary>
    public FileStoreStatus Status => CacheFileHandler.Status;

    internal CacheFileHandler Handler => CacheFileHandler;

    /// <inheritdoc/>
    public string? Get(string key) => CacheFileHandler.GetValue(key);

    /// <inheritdoc/>
    public Task<string?> GetAsync(string key, CancellationToken token = new()) => CacheFileHandler.GetValueAsync(key, token);

    /// <inheritdoc/>
    public void Set(string key, string value, DistributedCacheEntryOptions? options = null) => CacheFileHandler.SetKeyValue(key, value, options);

    /// <inheritdoc/>
    public Task SetAsync(string key, string value, DistributedCacheEntryOptions? options = null, CancellationToken token = new()) =>
        CacheFileHandler.SetKeyValueAsync(key, value, options, token);

    /// <inheritdoc/>
    public void SetMany(List<KeyValuePair<string, string>> manyEntries, DistributedCacheEntryOptions? options = null) =>
        CacheFileHandler.SetKeyValueMany(manyEntries, options);

    /// <inheritdoc/>
    public Task SetManyAsync(List<KeyValuePair<string, string>> manyEntries, DistributedCacheEntryOptions? options = null, CancellationToken token = new()) =>
        CacheFileHandler.SetKeyValueManyAsync(manyEntries, options, token);

    /// <inheritdoc/>
    public void Remove(string key) => CacheFileHandler.RemoveKeyValue(key);

    /// <inheritdoc/>
    public Task RemoveAsync(string key, CancellationToken token = new()) => CacheFileHandler.RemoveKeyValueAsync(key, token);

    /// <inheritdoc/>
    public int RemoveMany(IEnumerable<string> keys) => CacheFileHandler.RemoveKeyValueMany(keys);

    /// <inheritdoc/>
    public Task<int> RemoveManyAsync(IEnumerable<string> keys, CancellationToken token = new()) => CacheFileHandler.RemoveKeyValueManyAsync(keys, token);

    /// <inheritdoc/>
    public int RemoveByPrefix(string prefix) => CacheFileHandler.RemoveByPrefix(prefix);

    /// <inheritdoc/>
    public Task<int> RemoveByPrefixAsync(string prefix, CancellationToken token = new()) => CacheFileHandler.RemoveByPrefixAsync(prefix, token);

    /// <inheritdoc/>
    public void Refresh(string key) => CacheFileHandler.Refresh(key);

    /// <inheritdoc/>
    public Task RefreshAsync(string key, CancellationToken token = new()) => CacheFileHandler.RefreshAsync(key, token);

    /// <inheritdoc/>
    public void ClearAll(List<KeyValuePair<string, string>>? manyEntries = null, DistributedCacheEntryOptions? entryOptions = null) =>
        CacheFileHandler.ResetCacheFile(manyEntries, entryOptions);

    /// <inheritdoc/>
    public Task ClearAllAsync(
        List<KeyValuePair<string, string>>? manyEntries = null,
        DistributedCacheEntryOptions? entryOptions = null,
        CancellationToken token = new()) => CacheFileHandler.ResetCacheFileAsync(manyEntries, entryOptions, token);

    /// <inheritdoc/>
    public IReadOnlyDictionary<string, string> GetAllKeyValues() => CacheFileHandler.GetAllValues();

    /// <inheritdoc/>
    public Task<IReadOnlyDictionary<string, string>> GetAllKeyValuesAsync(CancellationToken token = new()) => CacheFileHandler.GetAllValuesAsync(token);

    /// <inheritdoc/>
    public IReadOnlyDictionary<string, string> GetByPrefix(string prefix)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        Dictionary<string, string> found = [];
        foreach (Entry entry in CacheFileHandler.Engine.WithPrefix(prefix))
        {
            if (TextBytes.TryRead(entry.Value!, out string? text))
            {
                found.Add(entry.Key, text);
            }
        }
        return new ReadOnlyDictionary<string, string>(found);
    }

    /// <inheritdoc/>
    public string GetOrCreate(string key, Func<string, string> factory, DistributedCacheEntryOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(factory);
        return Get(key) ?? _flights.Run(key, () => Get(key) ?? Create(key, factory, options));
    }

    /// <inheritdoc/>
    public Task<string> GetOrCreateAsync(
        string key,
        Func<string, CancellationToken, Task<string>> factory,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new())
    {
        ArgumentNullException.ThrowIfNull(factory);
        if (token.IsCancellationRequested)
        {
            return Task.FromCanceled<string>(token);
        }
        return Get(key) is { } found
            ? Task.FromResult(found)
            : _flights.RunAsync(key, shared => CreateAsync(key, factory, options, shared), token);
    }

    /// <inheritdoc/>
    public bool CompareAndSet(string key, string? expected, string? value, DistributedCacheEntryOptions? options = null) =>
        CacheFileHandler.CompareAndSet(key, expected, value, options);

    /// <inheritdoc/>
    public Task<bool> CompareAndSetAsync(
        string key,
        string? expected,
        string? value,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new()) => CacheFileHandler.CompareAndSetAsync(key, expected, value, options, token);

    /// <summary>Closes the file. Later calls throw <see cref="ObjectDisposedException"/>.</summary>
    public void Dispose()
    {
        CacheFileHandler.Dispose();
        GC.SuppressFinalize(this);
    }

    private string Create(string key, Func<string, string> factory, DistributedCacheEntryOptions? options)
    {
        CacheFileHandler.Engine.RequireWritable();
        string value = factory(key) ?? throw new InvalidOperationException($"The factory returned null for the key '{key}'; it must return a value.");
        Set(key, value, options);
        return value;
    }

    private async Task<string> CreateAsync(
        string key,
        Func<string, CancellationToken, Task<string>> factory,
        DistributedCacheEntryOptions? options,
        CancellationToken token)
    {
        if (Get(key) is { } found)
        {
            return found;
        }
        CacheFileHandler.Engine.RequireWritable();
        string value = await factory(key, token).ConfigureAwait(false)
            ?? throw new InvalidOperationException($"The factory returned null for the key '{key}'; it must return a value.");
        await SetAsync(key, value, options, token).ConfigureAwait(false);
        return value;
    }
}
