using System.Buffers;
using MessagePack;
using MessagePack.Resolvers;

namespace Larder.Client.Codecs;

/// <summary>
/// Encodes values as MessagePack, with the package MessagePack: <c>new MessagePackCodec&lt;Order&gt;()</c>, where <c>Order</c> has the
/// <see cref="MessagePackObjectAttribute"/>. Stored values are treated as untrusted: it resists hash collisions, and limits depth and lengths.
/// </summary>
/// <typeparam name="T">The type of the values. For <see cref="object"/>, values are text, numbers, arrays and dictionaries.</typeparam>
public sealed class MessagePackCodec<T> : IValueCodec<T>
{
    private readonly MessagePackSerializerOptions _options;
    private readonly DecodeLimits _limits;

    /// <summary>Creates a codec for a type.</summary>
    /// <param name="resolver">
    /// Finds the formatters of types. The default is null: <see cref="StandardResolver"/>. Do not pass a resolver that looks up types by a name in the bytes
    /// (the typeless ones): it runs any constructor that an attacker has named there.
    /// </param>
    /// <param name="limits">
    /// Limits of the values, checked before they are deserialized. The default is null: the defaults of <see cref="DecodeLimits"/>.
    /// </param>
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
    /// <exception cref="ArgumentException">The value exceeds a limit of <see cref="DecodeLimits"/>, so it could not be decoded.</exception>
    public void Encode(T value, IBufferWriter<byte> output)
    {
        EncodedPayload payload = new(output);
        MessagePackSerializer.Serialize(payload.Writer, value, _options);
        payload.Complete(MessagePackOutline.FindFault(payload.Written, _limits));
    }

    /// <inheritdoc/>
    /// <exception cref="DecodeLimitException">The value exceeds a limit of <see cref="DecodeLimits"/>.</exception>
    /// <exception cref="MessagePackSerializationException">The bytes are not one whole value, or not a value of the type.</exception>
    public T Decode(ReadOnlyMemory<byte> payload) => MessagePackOutline.FindFault(payload.Span, _limits) switch
    {
        null => MessagePackSerializer.Deserialize<T>(payload, _options),
        MessagePackOutline.NotWhole => throw new MessagePackSerializationException(MessagePackOutline.NotWhole),
        string excess => throw new DecodeLimitException(excess),
    };
}
