using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Larder.Client.Codecs;

/// <summary>
/// Encodes values as JSON with System.Text.Json. Example: <c>new JsonCodec&lt;Order&gt;(MyContext.Default.Order)</c>, where <c>MyContext</c> is a context of
/// the JSON source generator.
/// </summary>
/// <typeparam name="T">The type of the values. Stored JSON is parsed with the serializer options of the type.</typeparam>
public sealed class JsonCodec<T> : IValueCodec<T>
{
    private readonly JsonTypeInfo<T> _type;
    private readonly DecodeLimits _limits;

    /// <summary>Creates a codec for a type.</summary>
    /// <param name="type">The serialization metadata of the type, from a generated context or from <see cref="JsonSerializerOptions.GetTypeInfo"/>.</param>
    /// <param name="limits">
    /// The limits of the values. They are checked before a value is deserialized. The default is null: the defaults of <see cref="DecodeLimits"/>.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">A limit is out of its range.</exception>
    public JsonCodec(JsonTypeInfo<T> type, DecodeLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(type);
        _type = type;
        _limits = limits ?? DecodeLimits.Default;
        _limits.Check();
    }

    /// <inheritdoc/>
    public byte Content => 3;

    /// <inheritdoc/>
    /// <exception cref="JsonException">The value cannot be represented in JSON, for example because it contains itself.</exception>
    /// <exception cref="ArgumentException">The value exceeds a limit of <see cref="DecodeLimits"/>, so it could not be decoded later.</exception>
    public void Encode(T value, IBufferWriter<byte> output)
    {
        EncodedPayload payload = new(output);
        using (Utf8JsonWriter writer = new(payload.Writer, new JsonWriterOptions { Encoder = _type.Options.Encoder }))
        {
            JsonSerializer.Serialize(writer, value, _type);
        }

        payload.Complete(JsonOutline.FindExcess(payload.Written, _type.Options, _limits));
    }

    /// <inheritdoc/>
    /// <exception cref="DecodeLimitException">The value exceeds a limit of <see cref="DecodeLimits"/>.</exception>
    public T? Decode(ReadOnlyMemory<byte> payload) => JsonOutline.FindExcess(payload.Span, _type.Options, _limits) is { } excess
        ? throw new DecodeLimitException(excess)
        : JsonSerializer.Deserialize(payload.Span, _type);
}
