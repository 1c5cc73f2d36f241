using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore;

/// <summary>
/// A cache of texts and of classes written as JSON, by <see cref="DistributedFileStoreCacheOptions.JsonSerializerForCacheFile"/> both ways.
/// The members that take a <see cref="JsonTypeInfo{T}"/> need no reflection and are for trimmed and ahead-of-time compiled programs.
/// Members that the older library's interface lacks have a body here, so that stubs written for it need no new ones.
/// </summary>
public interface IDistributedFileStoreCacheClass : IDistributedFileStoreCacheString
{
    /// <summary>The class that <paramref name="jsonString"/> holds; null for null.</summary>
    /// <typeparam name="T">The class.</typeparam>
    /// <param name="jsonString">JSON, as <see cref="IDistributedFileStoreCacheString.Get"/> returns it.</param>
    /// <exception cref="System.Text.Json.JsonException">It is not JSON of that class.</exception>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    T? GetClassFromString<T>(string? jsonString)
        where T : class, new();

    /// <inheritdoc cref="GetClassFromString{T}(string?)"/>
    /// <param name="jsonString">JSON.</param>
    /// <param name="typeInfo">How to read it.</param>
    T? GetClassFromString<T>(string? jsonString, JsonTypeInfo<T> typeInfo)
        where T : class =>
        jsonString is null ? null : JsonSerializer.Deserialize(jsonString, typeInfo);

    /// <summary>The class stored under <paramref name="key"/>; null where there is none.</summary>
    /// <typeparam name="T">The class.</typeparam>
    /// <param name="key">The key.</param>
    /// <exception cref="System.Text.Json.JsonException">What is stored is not JSON of that class.</exception>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    T? GetClass<T>(string key)
        where T : class, new();

    /// <inheritdoc cref="GetClass{T}(string)"/>
    /// <param name="key">The key.</param>
    /// <param name="typeInfo">How to read it.</param>
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
    /// <param name="typeInfo">How to read it.</param>
    /// <param name="token">Cancels the call.</param>
    async Task<T?> GetClassAsync<T>(string key, JsonTypeInfo<T> typeInfo, CancellationToken token = new())
        where T : class =>
        GetClassFromString(await GetAsync(key, token).ConfigureAwait(false), typeInfo);

    /// <summary>Stores <paramref name="yourClass"/> as JSON.</summary>
    /// <typeparam name="T">The class.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="yourClass">What to store; null is stored as the JSON null.</param>
    /// <param name="options">When the entry ends.</param>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    void SetClass<T>(string key, T yourClass, DistributedCacheEntryOptions? options = null)
        where T : class, new();

    /// <inheritdoc cref="SetClass{T}(string, T, DistributedCacheEntryOptions?)"/>
    /// <param name="key">The key.</param>
    /// <param name="yourClass">What to store.</param>
    /// <param name="typeInfo">How to write it.</param>
    /// <param name="options">When the entry ends.</param>
    void SetClass<T>(string key, T yourClass, JsonTypeInfo<T> typeInfo, DistributedCacheEntryOptions? options = null)
        where T : class =>
        Set(key, JsonSerializer.Serialize(yourClass, typeInfo), options);

    /// <inheritdoc cref="SetClass{T}(string, T, DistributedCacheEntryOptions?)"/>
    /// <param name="key">The key.</param>
    /// <param name="yourClass">What to store.</param>
    /// <param name="options">When the entry ends.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    Task SetClassAsync<T>(string key, T yourClass, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
        where T : class, new();

    /// <inheritdoc cref="SetClass{T}(string, T, DistributedCacheEntryOptions?)"/>
    /// <param name="key">The key.</param>
    /// <param name="yourClass">What to store.</param>
    /// <param name="typeInfo">How to write it.</param>
    /// <param name="options">When the entry ends.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
    Task SetClassAsync<T>(string key, T yourClass, JsonTypeInfo<T> typeInfo, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
        where T : class =>
        SetAsync(key, JsonSerializer.Serialize(yourClass, typeInfo), options, token);

    /// <summary>Stores many classes as JSON in one write.</summary>
    /// <typeparam name="T">The class.</typeparam>
    /// <param name="manyEntries">Keys and what to store.</param>
    /// <param name="options">When each of the entries ends.</param>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    void SetManyClass<T>(List<KeyValuePair<string, T>> manyEntries, DistributedCacheEntryOptions? options = null)
        where T : class, new();

    /// <inheritdoc cref="SetManyClass{T}(List{KeyValuePair{string, T}}, DistributedCacheEntryOptions?)"/>
    /// <param name="manyEntries">Keys and what to store.</param>
    /// <param name="options">When each of the entries ends.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
    [RequiresUnreferencedCode(JsonNeeds.Reflection)]
    [RequiresDynamicCode(JsonNeeds.Reflection)]
    Task SetManyClassAsync<T>(List<KeyValuePair<string, T>> manyEntries, DistributedCacheEntryOptions? options = null, CancellationToken token = new())
        where T : class, new();

    /// <inheritdoc cref="SetManyClass{T}(List{KeyValuePair{string, T}}, DistributedCacheEntryOptions?)"/>
    /// <param name="manyEntries">Keys and what to store.</param>
    /// <param name="typeInfo">How to write it.</param>
    /// <param name="options">When each of the entries ends.</param>
    void SetManyClass<T>(List<KeyValuePair<string, T>> manyEntries, JsonTypeInfo<T> typeInfo, DistributedCacheEntryOptions? options = null)
        where T : class =>
        SetMany(manyEntries.ConvertAll(e => KeyValuePair.Create(e.Key, JsonSerializer.Serialize(e.Value, typeInfo))), options);

    /// <inheritdoc cref="SetManyClass{T}(List{KeyValuePair{string, T}}, DistributedCacheEntryOptions?)"/>
    /// <param name="manyEntries">Keys and what to store.</param>
    /// <param name="typeInfo">How to write it.</param>
    /// <param name="options">When each of the entries ends.</param>
    /// <param name="token">Cancels waiting for other writers.</param>
    Task SetManyClassAsync<T>(
        List<KeyValuePair<string, T>> manyEntries,
        JsonTypeInfo<T> typeInfo,
        DistributedCacheEntryOptions? options = null,
        CancellationToken token = new())
        where T : class => SetManyAsync(manyEntries.ConvertAll(e => KeyValuePair.Create(e.Key, JsonSerializer.Serialize(e.Value, typeInfo))), options, token);

    /// <summary>
    /// The class stored under <paramref name="key"/>, made by <paramref name="factory"/> and stored where there is none. Callers of this process
    /// that ask for one key at the same time share one call; each gets an object of its own.
    /// </summary>
    /// <typeparam name="T">The class.</typeparam>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the object from the key; null throws <see cref="InvalidOperationException"/>. Must not ask for the same key again.</param>
    /// <param name="options">When a new entry ends.</param>
    /// <exception cref="System.Text.Json.JsonException">What is stored is not JSON of that class, or the JSON null.</exception>
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
    /// <param name="factory">Makes the object.</param>
    /// <param name="typeInfo">How to write and read it.</param>
    /// <param name="options">When a new entry ends.</param>
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
    /// <param name="factory">Makes the object; its token is cancelled once no caller waits any more.</param>
    /// <param name="options">When a new entry ends.</param>
    /// <param name="token">Ends this caller's waiting.</param>
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
    /// <param name="factory">Makes the object; its token is cancelled once no caller waits any more.</param>
    /// <param name="typeInfo">How to write and read it.</param>
    /// <param name="options">When a new entry ends.</param>
    /// <param name="token">Ends this caller's waiting.</param>
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
