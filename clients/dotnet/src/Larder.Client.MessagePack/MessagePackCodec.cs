using System.Buffers;
using MessagePack;
using MessagePack.Resolvers;

namespace Larder.Client.Codecs;

/// <summary>
/// MessagePack, by the package MessagePack: <c>new MessagePackCodec&lt;Order&gt;()</c>, where <c>Order</c> is a <see cref="MessagePackObjectAttribute"/>.
/// What is read is taken for anybody's: hashes that collide are defended against, and depth and lengths have bounds.
/// </summary>
/// <typeparam name="T">The type; for <see cref="object"/> what is plain: text, numbers, arrays and dictionaries.</typeparam>
public sealed class MessagePackCodec<T> : IValueCodec<T>
{
    private readonly MessagePackSerializerOptions _options;

    /// <summary>A codec of a type.</summary>
    /// <param name="resolver">
    /// Finds the formatters of types; null: <see cref="StandardResolver"/>. One that looks types up by a name in the bytes (the typeless ones) runs whatever
    /// constructors somebody has written there: do not give it.
    /// </param>
    public MessagePackCodec(IFormatterResolver? resolver = null) => _options = MessagePackSerializerOptions.Standard
        .WithResolver(resolver ?? StandardResolver.Instance)
        .WithSecurity(MessagePackSecurity.UntrustedData);

    /// <inheritdoc/>
    public byte Content => 4;

    /// <inheritdoc/>
    /// <exception cref="MessagePackSerializationException">The type has no formatter.</exception>
    public void Encode(T value, IBufferWriter<byte> output) => MessagePackSerializer.Serialize(output, value, _options);

    /// <inheritdoc/>
    public T Decode(ReadOnlyMemory<byte> payload) => MessagePackOutline.IsWhole(payload.Span)
        ? MessagePackSerializer.Deserialize<T>(payload, _options)
        : throw new MessagePackSerializationException("The bytes are not one whole value.");
}
