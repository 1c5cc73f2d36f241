using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Larder.Client.Codecs;

/// <summary>JSON, by System.Text.Json: <c>new JsonCodec&lt;Order&gt;(MyContext.Default.Order)</c>, where <c>MyContext</c> is a source generator's.</summary>
/// <typeparam name="T">The type, of which the stored JSON is read strictly as its options say.</typeparam>
public sealed class JsonCodec<T> : IValueCodec<T>
{
    private readonly JsonTypeInfo<T> _type;
    private readonly DecodeLimits _limits;

    /// <summary>A codec of a type.</summary>
    /// <param name="type">How it is written and read: a generated context's, or that of <see cref="JsonSerializerOptions.GetTypeInfo"/>.</param>
    /// <param name="limits">Limits of the values, checked before they are deserialized. The default is null: those of <see cref="DecodeLimits"/>.</param>
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
    /// <exception cref="JsonException">The value cannot be said in JSON: it holds itself, say.</exception>
    /// <exception cref="ArgumentException">The value exceeds a limit of <see cref="DecodeLimits"/>, so it could not be read.</exception>
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
