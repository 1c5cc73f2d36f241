using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Larder.Client.Codecs;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Larder.Client;

/// <summary>
/// Finds the serializer of each type: one that is registered for the type, else the last registered factory that supports it, else Larder's own codec for text,
/// bytes or JSON.
/// </summary>
internal sealed class EntryTypes(IServiceProvider? services, LarderHybridCacheOptions options)
{
    // The assembly of .NET's default HybridCache. Its serializers are ignored, because Larder's codecs write the same bytes. The stored form must not depend on
    // whether a process also calls AddHybridCache.
    private const string DefaultAssembly = "Microsoft.Extensions.Caching.Hybrid";

    // Fields are included because value tuples have no properties.
    private static readonly JsonSerializerOptions s_json = new() { IncludeFields = true };

    private readonly ConcurrentDictionary<Type, object> _types = new();

    /// <summary>Returns the conversion of a type.</summary>
    /// <exception cref="NotSupportedException">There is no serializer for the type.</exception>
    public EntryType<T> Of<T>() => _types.TryGetValue(typeof(T), out object? known)
        ? (EntryType<T>)known
        : (EntryType<T>)_types.GetOrAdd(typeof(T), new EntryType<T>(CodecOf<T>(), options));

    private IValueCodec<T> CodecOf<T>()
    {
        if (services?.GetService<IHybridCacheSerializer<T>>() is { } serializer && IsOwn(serializer))
        {
            return new SerializerCodec<T>(serializer);
        }

        foreach (IHybridCacheSerializerFactory factory in (services?.GetServices<IHybridCacheSerializerFactory>() ?? []).Reverse())
        {
            if (IsOwn(factory) && factory.TryCreateSerializer(out IHybridCacheSerializer<T>? created))
            {
                return new SerializerCodec<T>(created);
            }
        }

        return typeof(T) == typeof(string) ? (IValueCodec<T>)(object)new TextCodec()
            : typeof(T) == typeof(byte[]) ? (IValueCodec<T>)(object)new BytesCodec()
            : JsonCodecOf<T>();
    }

    private static bool IsOwn(object serializer) => serializer.GetType().Assembly.GetName().Name != DefaultAssembly;

    // As in .NET's default HybridCache, JSON options may be registered as a keyed service, for one type or for all types.
    [UnconditionalSuppressMessage(
        "Trimming", "IL2026", Justification = "HybridCache is not annotated. In a trimmed application, the registered options must have a generated resolver.")]
    [UnconditionalSuppressMessage(
        "AOT", "IL3050", Justification = "HybridCache is not annotated. In a native application, the registered options must have a generated resolver.")]
    private JsonCodec<T> JsonCodecOf<T>()
    {
        JsonSerializerOptions json = services?.GetKeyedService<JsonSerializerOptions>(typeof(IHybridCacheSerializer<T>))
            ?? services?.GetKeyedService<JsonSerializerOptions>(typeof(IHybridCacheSerializer<>))
            ?? s_json;
        if (!json.IsReadOnly && (json.TypeInfoResolver is not null || JsonSerializer.IsReflectionEnabledByDefault))
        {
            json.MakeReadOnly(populateMissingResolver: true);
        }

        return json.IsReadOnly && json.TryGetTypeInfo(typeof(T), out JsonTypeInfo? type)
            ? new JsonCodec<T>((JsonTypeInfo<T>)type)
            : throw new NotSupportedException(
                $"The type {typeof(T)} has no JSON metadata. In a trimmed or native program, register JsonSerializerOptions with a generated context that "
                    + "contains the type, as a keyed service with the key typeof(IHybridCacheSerializer<>).");
    }
}
