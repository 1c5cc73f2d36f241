using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;
using Larder.Client.Codecs;

namespace Larder.Client;

/// <summary>Converts values of one type to and from their stored form.</summary>
internal sealed class EntryType<T>
{
    private readonly TypedValues<T> _plain;
    private readonly TypedValues<T> _compressed;
    private readonly TypedValues<T> _reader;

    // For values of this process, which need no limit.
    private readonly TypedValues<T> _unlimited;

    public EntryType(IValueCodec<T> codec, LarderHybridCacheOptions options)
    {
        TypedCacheOptions plain = new() { MaxDecodedBytes = (int)options.MaximumPayloadBytes };
        _plain = new TypedValues<T>(codec, plain);
        _compressed = options.CompressAbove is null ? _plain : new TypedValues<T>(codec, plain with { CompressAbove = options.CompressAbove });

        // A process with a smaller MaximumPayloadBytes must read what other processes store.
        _reader = new TypedValues<T>(codec, plain with { MaxDecodedBytes = Math.Max(plain.MaxDecodedBytes, ValueEnvelope.DefaultMaxDecodedBytes) });
        _unlimited = new TypedValues<T>(codec, plain with { MaxDecodedBytes = int.MaxValue });
    }

    /// <summary>Gets whether callers may share an object of the type.</summary>
    public bool IsImmutable { get; } = ImmutableTypes.Contains<T>();

    /// <summary>Serializes a value. Returns the reason why it cannot be stored, or null. If the serializer throws, the caller gets the exception.</summary>
    public string? Serialize(T? value, bool compress, out byte[] stored) => (compress ? _compressed : _plain).Encode(value, out stored)?.Reason;

    /// <summary>Returns a value that is too large to be stored, for the callers of its load. If the serializer throws, the caller gets the exception.</summary>
    public LoadedValue<T> LoadOversized(T? value)
    {
        if (IsImmutable)
        {
            return LoadedValue<T>.Shared(value);
        }

        _unlimited.Encode(value, out byte[] bytes);
        return LoadedValue<T>.Copied(this, bytes);
    }

    /// <summary>Deserializes bytes that this object has serialized. If the serializer throws, the caller gets the exception.</summary>
    public T? Deserialize(ReadOnlyMemory<byte> stored)
    {
        if (_unlimited.Decode(stored, out T? value) is not { } error)
        {
            return value;
        }

        if (error.Exception is { } exception)
        {
            ExceptionDispatchInfo.Throw(exception);
        }

        throw new CacheException(error);
    }

    /// <summary>Deserializes stored bytes, which another version of the application may have written. Returns false if this is not possible.</summary>
    public bool TryDeserialize(ReadOnlyMemory<byte> stored, out T? value) => _reader.Decode(stored, out value) is null;

    /// <summary>Deserializes stored bytes for the callers of a load. Returns false if this is not possible.</summary>
    public bool TryLoad(ReadOnlyMemory<byte> stored, [NotNullWhen(true)] out LoadedValue<T>? loaded)
    {
        loaded = TryDeserialize(stored, out T? value) ? IsImmutable ? LoadedValue<T>.Shared(value) : LoadedValue<T>.Copied(this, stored, value) : null;
        return loaded is not null;
    }
}
