using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Larder.Client.Codecs;

/// <summary>JSON, by System.Text.Json: <c>new JsonCodec&lt;Order&gt;(MyContext.Default.Order)</c>, where <c>MyContext</c> is a source generator's.</summary>
/// <typeparam name="T">The type, of which the stored JSON is read strictly as its options say.</typeparam>
public sealed class JsonCodec<T> : IValueCodec<T>
{
    private readonly JsonTypeInfo<T> _type;

    /// <summary>A codec of a type.</summary>
    /// <param name="type">How it is written and read: a generated context's, or that of <see cref="JsonSerializerOptions.GetTypeInfo"/>.</param>
    public JsonCodec(JsonTypeInfo<T> type)
    {
        ArgumentNullException.ThrowIfNull(type);
        _type = type;
    }

    /// <inheritdoc/>
    public byte Content => 3;

    /// <inheritdoc/>
    /// <exception cref="JsonException">The value cannot be said in JSON: it holds itself, say.</exception>
    public void Encode(T value, IBufferWriter<byte> output)
    {
        using Utf8JsonWriter writer = new(output, new JsonWriterOptions { Encoder = _type.Options.Encoder });
        JsonSerializer.Serialize(writer, value, _type);
    }

    /// <inheritdoc/>
    public T? Decode(ReadOnlyMemory<byte> payload) => JsonSerializer.Deserialize(payload.Span, _type);
}
