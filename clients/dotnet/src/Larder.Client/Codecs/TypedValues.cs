using System.Buffers;

namespace Larder.Client.Codecs;

/// <summary>Converts values of a type to their stored form: the codec's bytes in an envelope.</summary>
internal sealed class TypedValues<T>(IValueCodec<T> codec, TypedCacheOptions options)
{
    /// <summary>Gets whether the near cache keeps decoded objects.</summary>
    public bool KeepsObjects { get; } = options.KeepObjects ?? ImmutableTypes.Contains<T>();

    /// <summary>Returns whether the other instance has the same codec and the same limit, so that both can use the objects that one of them decoded.</summary>
    public bool DecodesLike(TypedValues<T> other) =>
        ReferenceEquals(this, other) || (ReferenceEquals(codec, other.Codec) && options.MaxDecodedBytes == other.MaxDecodedBytes);

    /// <summary>Returns the number of bytes by which a kept object counts against the near cache's memory limit.</summary>
    /// <exception cref="InvalidOperationException"><see cref="TypedCacheOptions.ObjectBytes"/> returned a negative number.</exception>
    public long ObjectBytes(T? value, int encodedBytes)
    {
        if (options.ObjectBytes is null || value is null)
        {
            return encodedBytes;
        }

        long bytes = options.ObjectBytes(value);
        return bytes >= 0 ? bytes : throw new InvalidOperationException($"{nameof(options.ObjectBytes)} must return 0 or more, but returned {bytes}.");
    }

    private IValueCodec<T> Codec => codec;

    private int MaxDecodedBytes => options.MaxDecodedBytes;

    /// <summary>
    /// Encodes a value to its stored form. Returns an error if the encoded value is longer than <see cref="TypedCacheOptions.MaxDecodedBytes"/>.
    /// </summary>
    /// <remarks>Exceptions of the codec are not caught.</remarks>
    public CacheError? Encode(T? value, out byte[] stored)
    {
        if (value is null)
        {
            stored = ValueEnvelope.EncodeNull();
            return null;
        }

        ArrayBufferWriter<byte> payload = new();
        codec.Encode(value, payload);
        if (payload.WrittenCount > options.MaxDecodedBytes)
        {
            stored = [];
            return new CacheError(
                CacheErrorCode.InvalidArgument,
                $"The encoded value has {payload.WrittenCount} bytes; MaxDecodedBytes allows at most {options.MaxDecodedBytes}.");
        }

        stored = ValueEnvelope.Wrap(codec.Content, payload.WrittenMemory, options.CompressAbove);
        return null;
    }

    /// <summary>Decodes a stored value. Returns an error if the bytes cannot be decoded with this codec.</summary>
    public CacheError? Decode(ReadOnlyMemory<byte> stored, out T? value)
    {
        value = default;
        string? reason = ValueEnvelope.Unwrap(stored, codec.Content, options.MaxDecodedBytes, out ReadOnlyMemory<byte>? payload);
        Exception? why = null;
        if (reason is null && payload is { } bytes)
        {
            try
            {
                value = codec.Decode(bytes);
            }
            catch (DecodeLimitException exception)
            {
                why = exception;
                reason = exception.Message;
            }
            catch (Exception exception)
            {
                // A codec of the application may throw any exception for invalid bytes.
                why = exception;
                reason = $"The codec cannot decode the stored value ({exception.GetType().Name}).";
            }
        }

        if (reason is null && payload is null && default(T) is not null)
        {
            reason = "The stored value is null, and the type does not allow null.";
        }

        return reason is null ? null : new CacheError(CacheErrorCode.DecodingFailed, reason) { Exception = why };
    }
}
