using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>
/// A cache of strings and of objects stored as JSON, according to <see cref="DistributedFileStoreCacheOptions.JsonSerializerForCacheFile"/>. The members that
/// take a <see cref="JsonTypeInfo{T}"/> need no reflection and are intended for trimmed and ahead-of-time compiled programs. Members that the interface of
/// Net.DistributedFileStoreCache lacks have default implementations, so that existing stubs still compile.
/// </summary>
public interface IDistributedFileStoreCacheClass : IDistributedFileStoreCacheString
{
    /// <summary>Deserializes <paramref name="jsonString"/>. Returns null if the string is null.</summary>
    /// <typeparam name="T">The class of the object.</typeparam>
    /// <param name="jsonString">The JSON, as returned by <see cref="IDistributedFileStoreCacheString.Get"/>.</param>
    /// <exception cref="System.Text.Json.JsonException">The string is not valid JSON for that class.</exception>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    T? GetClassFromString<T>(string? jsonString)
        where T : class, new();

    /// <inheritdoc cref="GetClassFromString{T}(string?)"/>
    /// <param name="jsonString">The JSON.</param>
    /// <param name="typeInfo">The JSON metadata of the class.</param>
    T? GetClassFromString<T>(string? jsonString, JsonTypeInfo<T> typeInfo)
        where T : class =>
        jsonString is null ? null : JsonSerializer.Deserialize(jsonString, typeInfo);

    /// <summary>Returns the object stored under <paramref name="key"/>; null if the key is missing.</summary>
    /// <typeparam name="T">The class of the object.</typeparam>
    /// <param name="key">The key.</param>
    /// <exception cref="System.Text.Json.JsonException">The stored value is not valid JSON for that class.</exception>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    T? GetClass<T>(string key)
        where T : class, new();

    /// <inheritdoc cref="GetClass{T}(string)"/>
    /// <param name="key">The key.</param>
    /// <param name="typeInfo">The JSON metadata of the class.</param>
    T? GetClass<T>(string key, JsonTypeInfo<T> typeInfo)
        where T : class =>
        GetClassFromString(Get(key), typeInfo);

    /// <inheritdoc cref="GetClass{T}(string)"/>
    /// <param name="key">The key.</param>
    /// <param name="token">Cancels the call.</param>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    Task<T?> GetClassAsync<T>(string key, CancellationToken token = new())
        where T : class, new();

    /// <inheritdoc cref="GetClass{T}(string)"/>
    /// <param name="key">The key.</param>
    /// <param name="typeInfo">The JSON metadata of the class.</param>
    /// <param name="token">Cancels the call.</param>
    async Task<T?> GetClassAsync<T>(string key, JsonTypeInfo<T> typeInfo, CancellationToken token = new())
        where T : class =>
        GetClassFromString(await GetAsync(key, token).ConfigureAwait(false), typeInfo);

    /// <summary>Stores <paramref name="yourClass"/> as JSON.</summary>
    /// <typeparam name="T">The class of the object.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="yourClass">The object to store; null is stored as JSON null.</param>
    /// <param name="options">The expiration options of the entry.</param>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    void SetClass<T>(string key, T yourClass, DistributedCacheEntryOptions? options = null)
        where T : class, new();

    /// <inheritdoc cref="SetClass{T}(string, T, DistributedCacheEntryOptions?)"/>
    /// <param name="key">The key.</param>
    /// <param name="yourClass">The object to store.</param>
    /// <param name="typeInfo">The JSON metadata of the class.</param>
    /// <param name="options">The expiration options of the entry.</param>
    void SetClass<T>(string key, T yourClass, JsonTypeInfo<T> typeInfo, DistributedCacheEntryOptions? options = null)
        where T : class =>
        Set(key, JsonSerializer.Serialize(yourClass, typeInfo), options);

    /// <inheritdoc cref="SetClass{T}(string, T, DistributedCacheEntryOptions?)"/>
    /// <param name="key">The key.</param>
    /// <param name="yourClass">The object to store.</param>
    /// <param name="options">The expiration options of the entry.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    Task SetClassAsync<T>(string key, T yourClass, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
        where T : class, new();

    /// <inheritdoc cref="SetClass{T}(string, T, DistributedCacheEntryOptions?)"/>
    /// <param name="key">The key.</param>
    /// <param name="yourClass">The object to store.</param>
    /// <param name="typeInfo">The JSON metadata of the class.</param>
    /// <param name="options">The expiration options of the entry.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    Task SetClassAsync<T>(string key, T yourClass, JsonTypeInfo<T> typeInfo, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
        where T : class =>
        SetAsync(key, JsonSerializer.Serialize(yourClass, typeInfo), options, token);

    /// <summary>Stores many objects as JSON in one write.</summary>
    /// <typeparam name="T">The class of the objects.</typeparam>
    /// <param name="manyEntries">The keys and the objects to store.</param>
    /// <param name="options">The expiration options of each entry.</param>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    void SetManyClass<T>(List<KeyValuePair<string, T>> manyEntries, DistributedCacheEntryOptions? options = null)
        where T : class, new();

    /// <inheritdoc cref="SetManyClass{T}(List{KeyValuePair{string, T}}, DistributedCacheEntryOptions?)"/>
    /// <param name="manyEntries">The keys and the objects to store.</param>
    /// <param name="options">The expiration options of each entry.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    Task SetManyClassAsync<T>(List<KeyValuePair<string, T>> manyEntries, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
        where T : class, new();

    /// <inheritdoc cref="SetManyClass{T}(List{KeyValuePair{string, T}}, DistributedCacheEntryOptions?)"/>
    /// <param name="manyEntries">The keys and the objects to store.</param>
    /// <param name="typeInfo">The JSON metadata of the class.</param>
    /// <param name="options">The expiration options of each entry.</param>
    void SetManyClass<T>(List<KeyValuePair<string, T>> manyEntries, JsonTypeInfo<T> typeInfo, DistributedCacheEntryOptions? options = null)
        where T : class =>
        SetMany(manyEntries.ConvertAll(e => KeyValuePair.Create(e.Key, JsonSerializer.Serialize(e.Value, typeInfo))), options);

    /// <inheritdoc cref="SetManyClass{T}(List{KeyValuePair{string, T}}, DistributedCacheEntryOptions?)"/>
    /// <param name="manyEntries">The keys and the objects to store.</param>
    /// <param name="typeInfo">The JSON metadata of the class.</param>
    /// <param name="options">The expiration options of each entry.</param>
    /// <param name="token">Cancels the wait for other writers.</param>
    Task SetManyClassAsync<T>(
        List<KeyValuePair<string, T>> manyEntries,
        JsonTypeInfo<T> typeInfo,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new())
        where T : class => SetManyAsync(manyEntries.ConvertAll(e => KeyValuePair.Create(e.Key, JsonSerializer.Serialize(e.Value, typeInfo))), options, token);

    /// <summary>
    /// Returns the object stored under <paramref name="key"/>. If the key is missing, creates the object with <paramref name="factory"/> and stores it.
    /// Concurrent callers of this process for the same key share one factory call; each gets its own object.
    /// </summary>
    /// <typeparam name="T">The class of the object.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="factory">
    /// Creates the object for the key; a null result throws <see cref="InvalidOperationException"/>. It must not request the same key itself.
    /// </param>
    /// <param name="options">The expiration options of a new entry.</param>
    /// <exception cref="System.Text.Json.JsonException">The stored value is not valid JSON for that class, or is JSON null.</exception>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    T GetOrCreateClass<T>(string key, Func<string, T> factory, DistributedCacheEntryOptions? options = null)
        where T : class, new()
    {
        ArgumentNullException.ThrowIfNull(factory);
        T? value = GetClass<T>(key);
        if (value is null)
        {
            value = factory(key) ?? throw FactoryResult.Null(key);
            SetClass(key, value, options);
        }
        return value;
    }

    /// <inheritdoc cref="GetOrCreateClass{T}(string, Func{string, T}, DistributedCacheEntryOptions?)"/>
    /// <param name="key">The key.</param>
    /// <param name="factory">Creates the object.</param>
    /// <param name="typeInfo">The JSON metadata of the class.</param>
    /// <param name="options">The expiration options of a new entry.</param>
    T GetOrCreateClass<T>(string key, Func<string, T> factory, JsonTypeInfo<T> typeInfo, DistributedCacheEntryOptions? options = null)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(factory);
        T? value = GetClass(key, typeInfo);
        if (value is null)
        {
            value = factory(key) ?? throw FactoryResult.Null(key);
            SetClass(key, value, typeInfo, options);
        }
        return value;
    }

    /// <inheritdoc cref="GetOrCreateClass{T}(string, Func{string, T}, DistributedCacheEntryOptions?)"/>
    /// <param name="key">The key.</param>
    /// <param name="factory">Creates the object. Its token is cancelled when no caller is waiting any longer.</param>
    /// <param name="options">The expiration options of a new entry.</param>
    /// <param name="token">Cancels the wait of this caller.</param>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    Task<T> GetOrCreateClassAsync<T>(
        string key,
        Func<string, CancellationToken, Task<T>> factory,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new())
        where T : class, new() =>
        FactoryResult.GetOrCreateAsync(() => GetClassAsync<T>(key, token), key, factory, value => SetClassAsync(key, value, options, token), token);

    /// <inheritdoc cref="GetOrCreateClass{T}(string, Func{string, T}, DistributedCacheEntryOptions?)"/>
    /// <param name="key">The key.</param>
    /// <param name="factory">Creates the object. Its token is cancelled when no caller is waiting any longer.</param>
    /// <param name="typeInfo">The JSON metadata of the class.</param>
    /// <param name="options">The expiration options of a new entry.</param>
    /// <param name="token">Cancels the wait of this caller.</param>
    Task<T> GetOrCreateClassAsync<T>(
        string key,
        Func<string, CancellationToken, Task<T>> factory,
        JsonTypeInfo<T> typeInfo,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new())
        where T : class =>
        FactoryResult.GetOrCreateAsync(
            () => GetClassAsync(key, typeInfo, token),
            key,
            factory,
            value => SetClassAsync(key, value, typeInfo, options, token),
            token);
}
