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
    private readonly DecodeLimits _limits;

    /// <summary>A codec of a type.</summary>
    /// <param name="resolver">
    /// Finds the formatters of types; null: <see cref="StandardResolver"/>. One that looks types up by a name in the bytes (the typeless ones) runs whatever
    /// constructors somebody has written there: do not give it.
    /// </param>
    /// <param name="limits">Limits of the values, checked before they are deserialized. The default is null: those of <see cref="DecodeLimits"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">A limit is out of its range.</exception>
    public MessagePackCodec(IFormatterResolver? resolver = null, DecodeLimits? limits = null)
    {
        _limits = limits ?? DecodeLimits.Default;
        _limits.Check();
        _options = MessagePackSerializerOptions.Standard
            .WithResolver(resolver ?? StandardResolver.Instance)
            .WithSecurity(MessagePackSecurity.UntrustedData.WithMaximumObjectGraphDepth(_limits.MaxDepth));
    }

    /// <inheritdoc/>
    public byte Content => 4;

    /// <inheritdoc/>
    /// <exception cref="MessagePackSerializationException">The type has no formatter.</exception>
    /// <exception cref="ArgumentException">The value exceeds a limit of <see cref="DecodeLimits"/>, so it could not be read.</exception>
    public void Encode(T value, IBufferWriter<byte> output)
    {
        EncodedPayload payload = new(output);
        MessagePackSerializer.Serialize(payload.Writer, value, _options);
        payload.Complete(MessagePackOutline.FindFault(payload.Written, _limits));
    }

    /// <inheritdoc/>
    /// <exception cref="DecodeLimitException">The value exceeds a limit of <see cref="DecodeLimits"/>.</exception>
    /// <exception cref="MessagePackSerializationException">The bytes are not one whole value, or not one of the type.</exception>
    public T Decode(ReadOnlyMemory<byte> payload) => MessagePackOutline.FindFault(payload.Span, _limits) switch
    {
        null => MessagePackSerializer.Deserialize<T>(payload, _options),
        MessagePackOutline.NotWhole => throw new MessagePackSerializationException(MessagePackOutline.NotWhole),
        string excess => throw new DecodeLimitException(excess),
    };
}
