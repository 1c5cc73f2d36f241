using System.Diagnostics.CodeAnalysis;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>The API of the cache for strings and for objects that are stored as JSON.</summary>
public sealed class DistributedFileStoreCacheClass : DistributedFileStoreCacheString, IDistributedFileStoreCacheClass
{
    private static readonly JsonSerializerOptions Relaxed = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
    private readonly JsonSerializerOptions _json;

    /// <summary>Opens the cache file; creates the folder and the file if they do not exist.</summary>
    /// <param name="options">The settings.</param>
    /// <exception cref="DistributedFileStoreCacheException">The file cannot be used; the message names the file and the remedy.</exception>
    public DistributedFileStoreCacheClass(DistributedFileStoreCacheOptions options)
        : this(new CacheFileHandler(options), options.JsonSerializerForCacheFile)
    {
    }

    internal DistributedFileStoreCacheClass(CacheFileHandler handler, JsonSerializerOptions? json)
        : base(handler) => _json = json ?? Relaxed;

    /// <inheritdoc/>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    public T? GetClassFromString<T>(string? jsonString)
        where T : class, new() =>
        jsonString is null ? null : JsonSerializer.Deserialize<T>(jsonString, _json);

    /// <inheritdoc/>
    public T? GetClassFromString<T>(string? jsonString, JsonTypeInfo<T> typeInfo)
        where T : class =>
        jsonString is null ? null : JsonSerializer.Deserialize(jsonString, typeInfo);

    /// <inheritdoc/>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    public T? GetClass<T>(string key)
        where T : class, new() =>
        GetClassFromString<T>(Get(key));

    /// <inheritdoc/>
    public T? GetClass<T>(string key, JsonTypeInfo<T> typeInfo)
        where T : class =>
        GetClassFromString(Get(key), typeInfo);

    /// <inheritdoc/>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    public async Task<T?> GetClassAsync<T>(string key, CancellationToken token = new())
        where T : class, new() =>
        GetClassFromString<T>(await GetAsync(key, token).ConfigureAwait(false));

    /// <inheritdoc/>
    public async Task<T?> GetClassAsync<T>(string key, JsonTypeInfo<T> typeInfo, CancellationToken token = new())
        where T : class =>
        GetClassFromString(await GetAsync(key, token).ConfigureAwait(false), typeInfo);

    /// <inheritdoc/>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    public void SetClass<T>(string key, T yourClass, DistributedCacheEntryOptions? options = null)
        where T : class, new() =>
        Set(key, JsonSerializer.Serialize(yourClass, _json), options);

    /// <inheritdoc/>
    public void SetClass<T>(string key, T yourClass, JsonTypeInfo<T> typeInfo, DistributedCacheEntryOptions? options = null)
        where T : class =>
        Set(key, JsonSerializer.Serialize(yourClass, typeInfo), options);

    /// <inheritdoc/>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    public Task SetClassAsync<T>(string key, T yourClass, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
        where T : class, new() =>
        SetAsync(key, JsonSerializer.Serialize(yourClass, _json), options, token);

    /// <inheritdoc/>
    public Task SetClassAsync<T>(
        string key,
        T yourClass,
        JsonTypeInfo<T> typeInfo,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new())
        where T : class => SetAsync(key, JsonSerializer.Serialize(yourClass, typeInfo), options, token);

    /// <inheritdoc/>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    public void SetManyClass<T>(List<KeyValuePair<string, T>> manyEntries, DistributedCacheEntryOptions? options = null)
        where T : class, new() =>
        CacheFileHandler.SetKeyValueMany(Texts(manyEntries, TypeInfo<T>()), options);

    /// <inheritdoc/>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    public Task SetManyClassAsync<T>(List<KeyValuePair<string, T>> manyEntries, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
        where T : class, new() =>
        CacheFileHandler.SetKeyValueManyAsync(Texts(manyEntries, TypeInfo<T>()), options, token);

    /// <inheritdoc/>
    public void SetManyClass<T>(List<KeyValuePair<string, T>> manyEntries, JsonTypeInfo<T> typeInfo, DistributedCacheEntryOptions? options = null)
        where T : class =>
        CacheFileHandler.SetKeyValueMany(Texts(manyEntries, typeInfo), options);

    /// <inheritdoc/>
    public Task SetManyClassAsync<T>(
        List<KeyValuePair<string, T>> manyEntries,
        JsonTypeInfo<T> typeInfo,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new())
        where T : class => CacheFileHandler.SetKeyValueManyAsync(Texts(manyEntries, typeInfo), options, token);

    /// <inheritdoc/>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    public T GetOrCreateClass<T>(string key, Func<string, T> factory, DistributedCacheEntryOptions? options = null)
        where T : class, new() =>
        GetOrCreateClass(key, factory, TypeInfo<T>(), options);

    /// <inheritdoc/>
    public T GetOrCreateClass<T>(string key, Func<string, T> factory, JsonTypeInfo<T> typeInfo, DistributedCacheEntryOptions? options = null)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(factory);
        return Present(key, GetOrCreate(key, k => Made(k, factory(k), typeInfo), options), typeInfo);
    }

    /// <inheritdoc/>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    public Task<T> GetOrCreateClassAsync<T>(
        string key,
        Func<string, CancellationToken, Task<T>> factory,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new())
        where T : class, new() => GetOrCreateClassAsync(key, factory, TypeInfo<T>(), options, token);

    /// <inheritdoc/>
    public async Task<T> GetOrCreateClassAsync<T>(
        string key,
        Func<string, CancellationToken, Task<T>> factory,
        JsonTypeInfo<T> typeInfo,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new())
        where T : class
    {
        ArgumentNullException.ThrowIfNull(factory);
        string json = await GetOrCreateAsync(key, async (k, shared) => Made(k, await factory(k, shared).ConfigureAwait(false), typeInfo), options, token)
            .ConfigureAwait(false);
        return Present(key, json, typeInfo);
    }

    private static string Made<T>(string key, T? value, JsonTypeInfo<T> typeInfo)
        where T : class =>
        value is null ? throw new InvalidOperationException(
            $"The factory returned null for the key '{key}'; it must return a value.") : JsonSerializer.Serialize(value, typeInfo);

    private static T Present<T>(string key, string json, JsonTypeInfo<T> typeInfo)
        where T : class =>
        JsonSerializer.Deserialize(json, typeInfo) ?? throw new JsonException($"The entry '{key}' contains JSON null instead of a value.");

    private static List<KeyValuePair<string, string>>? Texts<T>(List<KeyValuePair<string, T>>? entries, JsonTypeInfo<T> typeInfo)
        where T : class =>
        entries?.ConvertAll(e => new KeyValuePair<string, string>(e.Key, JsonSerializer.Serialize(e.Value, typeInfo)));

    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    private JsonTypeInfo<T> TypeInfo<T>()
    {
        // GetTypeInfo requires read-only options. The first use of a serializer would also make the options read-only.
        _json.MakeReadOnly(populateMissingResolver: true);
        return (JsonTypeInfo<T>)_json.GetTypeInfo(typeof(T));
    }
}
