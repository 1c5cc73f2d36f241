using System.Text.Json;
using Larder.Harness;

namespace Larder.FileStore.Tests;

/// <summary>
/// Tests that stubs written for the interfaces of Net.DistributedFileStoreCache compile. The default implementations of the newer members call the members of
/// the stub.
/// </summary>
public sealed class InterfaceStubTests
{
    [Fact]
    public void Unsupported_APIs_of_older_library_are_documented_in_guide()
    {
        Type shape = typeof(CacheFileHandler).Assembly.GetType("Larder.FileStore.CacheJsonContent", throwOnError: true)!;
        Assert.NotEmpty(shape.GetCustomAttributes(typeof(ObsoleteAttribute), inherit: false));
        string guide = File.ReadAllText(Checkout.At("docs/guides/file-store.md"));
        Assert.All(["CacheJsonContent", "StaticCachePart", "SupportCode", "TryAgainOnUnauthorizedAccess"], n => Assert.Contains(n, guide));
    }

    [Fact]
    public async Task Stub_of_older_string_interface_supports_new_members()
    {
        ClassStub stub = new();
        IDistributedFileStoreCacheClass cache = stub;
        Assert.Equal("made", cache.GetOrCreate("a:1", _ => "made"));
        Assert.Equal("made", await cache.GetOrCreateAsync("a:1", (_, _) => Task.FromResult("other")));
        cache.Set("b", "2");
        Assert.Equal(2, cache.Count);
        Assert.Equal("a:1", Assert.Single(cache.GetByPrefix("a:")).Key);
        cache.Refresh("b");
        await cache.RefreshAsync("b");
        Assert.Equal(2, stub.Reads["b"]);
        Assert.Equal(1, cache.RemoveByPrefix("a:"));
        Assert.Equal(1, await cache.RemoveManyAsync(["b", "none"]));
        Assert.Equal(0, cache.Count);
        await cache.ClearAllAsync([new("c", "3")]);
        Assert.Equal("3", cache.Get("c"));
        Assert.Throws<NotSupportedException>(() => cache.CompareAndSet("c", "3", "4"));
        await Assert.ThrowsAsync<NotSupportedException>(() => cache.CompareAndSetAsync("c", "3", "4"));
        Assert.Equal("5", cache.GetOrCreateClass("d", _ => new Box { Value = "5" }).Value);
        Assert.Equal("5", (await cache.GetOrCreateClassAsync("d", (_, _) => Task.FromResult(new Box()))).Value);
        Assert.Throws<InvalidOperationException>(() => cache.GetOrCreate("null", _ => null!));
    }

    [Fact]
    public async Task Stub_of_older_bytes_interface_supports_new_members()
    {
        IDistributedFileStoreCacheBytes cache = new BytesStub();
        Assert.Equal([1], cache.GetOrCreate("a:1", _ => [1]));
        Assert.Equal([1], await cache.GetOrCreateAsync("a:1", (_, _) => Task.FromResult<byte[]>([2])));
        await cache.SetAsync("b", new System.Buffers.ReadOnlySequence<byte>([2]), new());
        System.Buffers.ArrayBufferWriter<byte> written = new();
        Assert.True(await cache.TryGetAsync("b", written));
        Assert.False(cache.TryGet("none", written));
        Assert.Equal([2], written.WrittenSpan.ToArray());
        Assert.Equal(2, cache.Count);
        Assert.Equal(2, (await cache.GetAllKeyValuesAsync(CancellationToken.None)).Count);
        Assert.Equal("a:1", Assert.Single(cache.GetByPrefix("a:")).Key);
        Assert.Equal(1, await cache.RemoveByPrefixAsync("a:"));
        Assert.Equal(1, cache.RemoveMany(["b"]));
        await cache.ClearAllAsync();
        Assert.Throws<NotSupportedException>(() => cache.CompareAndSet("c", null, [1]));
    }

    private sealed class Box
    {
        public string Value { get; set; } = "";
    }

    /// <summary>A stub with only the members of the class interface of Net.DistributedFileStoreCache.</summary>
    private sealed class ClassStub : IDistributedFileStoreCacheClass
    {
        private readonly Dictionary<string, string> _entries = [];

        internal Dictionary<string, int> Reads { get; } = [];

        public string? Get(string key)
        {
            Reads[key] = Reads.GetValueOrDefault(key) + 1;
            return _entries.GetValueOrDefault(key);
        }

        public Task<string?> GetAsync(string key, CancellationToken token = new()) => Task.FromResult(Get(key));

        public void Set(string key, string value, DistributedCacheEntryOptions? options = null) => _entries[key] = value;

        public Task SetAsync(string key, string value, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
        {
            Set(key, value, options);
            return Task.CompletedTask;
        }

        public void SetMany(List<KeyValuePair<string, string>> manyEntries, DistributedCacheEntryOptions? options = null) =>
            manyEntries.ForEach(e => Set(e.Key, e.Value, options));

        public Task SetManyAsync(List<KeyValuePair<string, string>> manyEntries, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
        {
            SetMany(manyEntries, options);
            return Task.CompletedTask;
        }

        public void Remove(string key) => _entries.Remove(key);

        public Task RemoveAsync(string key, CancellationToken token = new())
        {
            Remove(key);
            return Task.CompletedTask;
        }

        public void ClearAll(List<KeyValuePair<string, string>>? manyEntries = null, DistributedCacheEntryOptions? entryOptions = null)
        {
            _entries.Clear();
            SetMany(manyEntries ?? [], entryOptions);
        }

        public IReadOnlyDictionary<string, string> GetAllKeyValues() => new Dictionary<string, string>(_entries);

        public Task<IReadOnlyDictionary<string, string>> GetAllKeyValuesAsync(CancellationToken token = new()) => Task.FromResult(GetAllKeyValues());

        public T? GetClassFromString<T>(string? jsonString)
            where T : class, new() => jsonString is null ? null : JsonSerializer.Deserialize<T>(jsonString);

        public T? GetClass<T>(string key)
            where T : class, new() => GetClassFromString<T>(Get(key));

        public Task<T?> GetClassAsync<T>(string key, CancellationToken token = new())
            where T : class, new() => Task.FromResult(GetClass<T>(key));

        public void SetClass<T>(string key, T yourClass, DistributedCacheEntryOptions? options = null)
            where T : class, new() => Set(key, JsonSerializer.Serialize(yourClass), options);

        public Task SetClassAsync<T>(string key, T yourClass, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
            where T : class, new()
        {
            SetClass(key, yourClass, options);
            return Task.CompletedTask;
        }

        public void SetManyClass<T>(List<KeyValuePair<string, T>> manyEntries, DistributedCacheEntryOptions? options = null)
            where T : class, new() => manyEntries.ForEach(e => SetClass(e.Key, e.Value, options));

        public Task SetManyClassAsync<T>(
            List<KeyValuePair<string, T>> manyEntries,
            DistributedCacheEntryOptions? options = null,
            CancellationToken token = new())
            where T : class, new()
        {
            SetManyClass(manyEntries, options);
            return Task.CompletedTask;
        }
    }

    /// <summary>A stub with only the members of the bytes interface of Net.DistributedFileStoreCache.</summary>
    private sealed class BytesStub : IDistributedFileStoreCacheBytes
    {
        private readonly Dictionary<string, byte[]> _entries = [];

        public byte[]? Get(string key) => _entries.GetValueOrDefault(key);

        public Task<byte[]?> GetAsync(string key, CancellationToken token = default) => Task.FromResult(Get(key));

        public void Set(string key, byte[] value, DistributedCacheEntryOptions options) => _entries[key] = value;

        public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default)
        {
            Set(key, value, options);
            return Task.CompletedTask;
        }

        public void Refresh(string key) => Get(key);

        public Task RefreshAsync(string key, CancellationToken token = default) => Task.CompletedTask;

        public void Remove(string key) => _entries.Remove(key);

        public Task RemoveAsync(string key, CancellationToken token = default)
        {
            Remove(key);
            return Task.CompletedTask;
        }

        public void ClearAll() => _entries.Clear();

        public Dictionary<string, byte[]> GetAllKeyValues() => new(_entries);

        public Task<IReadOnlyDictionary<string, byte[]>> GetAllKeyValuesAsync() => Task.FromResult<IReadOnlyDictionary<string, byte[]>>(GetAllKeyValues());
    }
}
