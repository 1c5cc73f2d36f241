using System.Buffers;
using System.Text;
using Larder.FileStore.Engine;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>The byte-array API of the cache. Implements <see cref="IDistributedCache"/> and <see cref="IBufferDistributedCache"/>.</summary>
public sealed class DistributedFileStoreCacheBytes : IDistributedFileStoreCacheBytes, IDisposable
{
    private readonly CacheFileHandler _handler;
    private readonly SingleFlight<byte[]> _flights = new();

    /// <summary>Opens the cache file; creates the folder and the file if they do not exist.</summary>
    /// <param name="options">The settings.</param>
    /// <exception cref="DistributedFileStoreCacheException">The file cannot be used; the message names the file and the remedy.</exception>
    public DistributedFileStoreCacheBytes(DistributedFileStoreCacheOptions options)
        : this(new CacheFileHandler(options))
    {
    }

    /// <summary>
    /// Creates a byte-array API for a cache that is already open. Both instances share the open file, so disposing one of them closes the file for both.
    /// </summary>
    /// <param name="stringCache">
    /// A <see cref="DistributedFileStoreCacheString"/>. Any other implementation throws <see cref="ArgumentException"/>, because arbitrary bytes cannot be
    /// stored as text.
    /// </param>
    public DistributedFileStoreCacheBytes(IDistributedFileStoreCacheString stringCache)
        : this((stringCache as DistributedFileStoreCacheString)?.Handler
            ?? throw new ArgumentException(
                "The cache must be a DistributedFileStoreCacheString. Other implementations store only text, not arbitrary bytes.",
                nameof(stringCache)))
    {
    }

    internal DistributedFileStoreCacheBytes(CacheFileHandler handler) => _handler = handler;

    /// <inheritdoc/>
    public int Count => _handler.Engine.Count;

    /// <summary>Gets the state of the cache.</summary>
    public FileStoreStatus Status => _handler.Status;

    /// <inheritdoc/>
    public byte[]? Get(string key) => Find(key) is { } value ? CopyOf(value) : null;

    /// <inheritdoc/>
    public Task<byte[]?> GetAsync(string key, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        return token.IsCancellationRequested ? Task.FromCanceled<byte[]?>(token) : Task.FromResult(Get(key));
    }

    /// <inheritdoc/>
    public bool TryGet(string key, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        switch (Find(key))
        {
            case null:
                return false;
            case string text:
                Encoding.UTF8.GetBytes(text, destination);
                return true;
            case var bytes:
                destination.Write((byte[])bytes);
                return true;
        }
    }

    /// <inheritdoc/>
    public ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        return token.IsCancellationRequested ? ValueTask.FromCanceled<bool>(token) : ValueTask.FromResult(TryGet(key, destination));
    }

    /// <inheritdoc/>
    public void Set(string key, byte[] value, DistributedCacheEntryOptions? options)
    {
        ArgumentNullException.ThrowIfNull(value);
        _handler.SetObject(key, value.AsSpan().ToArray(), options);
    }

    /// <inheritdoc/>
    public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions? options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        return _handler.SetObjectAsync(key, value.AsSpan().ToArray(), options, token);
    }

    /// <inheritdoc/>
    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions? options) =>
        _handler.SetObject(key, value.ToArray(), options);

    /// <inheritdoc/>
    public ValueTask SetAsync(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions? options, CancellationToken token = default) =>
        new(_handler.SetObjectAsync(key, value.ToArray(), options, token));

    /// <inheritdoc/>
    public void Refresh(string key) => _handler.Refresh(key);

    /// <inheritdoc/>
    public Task RefreshAsync(string key, CancellationToken token = default) => _handler.RefreshAsync(key, token);

    /// <inheritdoc/>
    public void Remove(string key) => _handler.RemoveKeyValue(key);

    /// <inheritdoc/>
    public Task RemoveAsync(string key, CancellationToken token = default) => _handler.RemoveKeyValueAsync(key, token);

    /// <inheritdoc/>
    public int RemoveMany(IEnumerable<string> keys) => _handler.RemoveKeyValueMany(keys);

    /// <inheritdoc/>
    public Task<int> RemoveManyAsync(IEnumerable<string> keys, CancellationToken token = new()) => _handler.RemoveKeyValueManyAsync(keys, token);

    /// <inheritdoc/>
    public int RemoveByPrefix(string prefix) => _handler.RemoveByPrefix(prefix);

    /// <inheritdoc/>
    public Task<int> RemoveByPrefixAsync(string prefix, CancellationToken token = new()) => _handler.RemoveByPrefixAsync(prefix, token);

    /// <inheritdoc/>
    public void ClearAll() => _handler.ResetCacheFile();

    /// <inheritdoc/>
    public Task ClearAllAsync(CancellationToken token = new()) => _handler.ResetCacheFileAsync(token: token);

    /// <inheritdoc/>
    public Dictionary<string, byte[]> GetAllKeyValues() => ByPrefix("");

    /// <inheritdoc/>
    public Task<IReadOnlyDictionary<string, byte[]>> GetAllKeyValuesAsync() => GetAllKeyValuesAsync(CancellationToken.None);

    /// <inheritdoc/>
    public Task<IReadOnlyDictionary<string, byte[]>> GetAllKeyValuesAsync(CancellationToken token) => token.IsCancellationRequested
        ? Task.FromCanceled<IReadOnlyDictionary<string, byte[]>>(token)
        : Task.FromResult<IReadOnlyDictionary<string, byte[]>>(ByPrefix(""));

    /// <inheritdoc/>
    public IReadOnlyDictionary<string, byte[]> GetByPrefix(string prefix)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        return ByPrefix(prefix);
    }

    /// <inheritdoc/>
    public byte[] GetOrCreate(string key, Func<string, byte[]> factory, DistributedCacheEntryOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(factory);
        return Get(key) ?? CopyOf(_flights.Run(key, () => Get(key) ?? Create(key, factory, options)));
    }

    /// <inheritdoc/>
    public async Task<byte[]> GetOrCreateAsync(
        string key,
        Func<string, CancellationToken, Task<byte[]>> factory,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new())
    {
        ArgumentNullException.ThrowIfNull(factory);
        token.ThrowIfCancellationRequested();
        return Get(key) ?? CopyOf(await _flights.RunAsync(key, shared => CreateAsync(key, factory, options, shared), token).ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public bool CompareAndSet(string key, byte[]? expected, byte[]? value, DistributedCacheEntryOptions? options = null) =>
        _handler.CompareAndSet(key, expected, value?.AsSpan().ToArray(), options);

    /// <inheritdoc/>
    public Task<bool> CompareAndSetAsync(
        string key,
        byte[]? expected,
        byte[]? value,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new()) => _handler.CompareAndSetAsync(key, expected, value?.AsSpan().ToArray(), options, token);

    /// <summary>Closes the file. Later calls throw <see cref="ObjectDisposedException"/>.</summary>
    public void Dispose() => _handler.Dispose();

    /// <summary>
    /// Returns the stored value without copying it; null if the key is missing. The value is a string if the string API wrote the entry, or if the entry was
    /// read from the file and is stored there as text. Otherwise it is a byte array, which must not be changed.
    /// </summary>
    private object? Find(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        object? value = _handler.Engine.Find(key)?.Value;
        if (Instruments.Hits.Enabled)
        {
            Instruments.Count(value is not null);
        }
        return value;
    }

    private static byte[] CopyOf(object value) => value is string text ? Encoding.UTF8.GetBytes(text) : ((byte[])value).AsSpan().ToArray();

    private byte[] Create(string key, Func<string, byte[]> factory, DistributedCacheEntryOptions? options)
    {
        _handler.Engine.RequireWritable();
        byte[] value = CopyOf(factory(key) ?? throw MadeNull(key));
        _handler.SetObject(key, value, options);
        return value;
    }

    private async Task<byte[]> CreateAsync(
        string key,
        Func<string, CancellationToken, Task<byte[]>> factory,
        DistributedCacheEntryOptions? options,
        CancellationToken token)
    {
        if (Get(key) is { } found)
        {
            return found;
        }
        _handler.Engine.RequireWritable();
        byte[] value = CopyOf(await factory(key, token).ConfigureAwait(false) ?? throw MadeNull(key));
        await _handler.SetObjectAsync(key, value, options, token).ConfigureAwait(false);
        return value;
    }

    private static InvalidOperationException MadeNull(string key) => new($"The factory returned null for the key '{key}'; it must return a value.");

    private Dictionary<string, byte[]> ByPrefix(string prefix)
    {
        List<Entry> entries = _handler.Engine.WithPrefix(prefix);
        Dictionary<string, byte[]> found = new(entries.Count);
        foreach (Entry entry in entries)
        {
            found.Add(entry.Key, CopyOf(entry.Value!));
        }
        return found;
    }
}
