using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using MessagePack;
using MessagePack.Resolvers;

namespace Larder.Client.Codecs;

/// <summary>
/// Encodes values as MessagePack, using the MessagePack package. Example: <c>new MessagePackCodec&lt;Order&gt;()</c>, where the class <c>Order</c> has the
/// <see cref="MessagePackObjectAttribute"/>. Stored values are treated as untrusted: the codec resists hash collisions and limits depth and lengths.
/// </summary>
/// <typeparam name="T">The type of the values. For <see cref="object"/>, values are decoded as text, numbers, arrays and dictionaries.</typeparam>
public sealed class MessagePackCodec<T> : IValueCodec<T>
{
    private const string Reflection = "MessagePack generates code at run time. In trimmed or native programs, use JsonCodec<T>.";

    private readonly MessagePackSerializerOptions _options;
    private readonly DecodeLimits _limits;

    /// <summary>Creates a codec for a type.</summary>
    /// <param name="resolver">
    /// Finds the formatters of types. The default is null: <see cref="StandardResolver"/>. Do not pass a typeless resolver. It looks up types by names in the
    /// stored bytes, so it would run any constructor that an attacker names there.
    /// </param>
    /// <param name="limits">
    /// The limits of the values. They are checked before a value is deserialized. The default is null: the defaults of <see cref="DecodeLimits"/>.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">A limit is out of its range.</exception>
    [RequiresUnreferencedCode(Reflection)]
    [RequiresDynamicCode(Reflection)]
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
    /// <exception cref="ArgumentException">The value exceeds a limit of <see cref="DecodeLimits"/>, so it could not be decoded later.</exception>
    public void Encode(T value, IBufferWriter<byte> output)
    {
        EncodedPayload payload = new(output);
        MessagePackSerializer.Serialize(payload.Writer, value, _options);
        payload.Complete(MessagePackOutline.FindFault(payload.Written, _limits));
    }

    /// <inheritdoc/>
    /// <exception cref="DecodeLimitException">The value exceeds a limit of <see cref="DecodeLimits"/>.</exception>
    /// <exception cref="MessagePackSerializationException">The bytes are not a single complete MessagePack value, or not a value of the type.</exception>
    public T Decode(ReadOnlyMemory<byte> payload) => MessagePackOutline.FindFault(payload.Span, _limits) switch
    {
        null => MessagePackSerializer.Deserialize<T>(payload, _options),
        MessagePackOutline.NotWhole => throw new MessagePackSerializationException(MessagePackOutline.NotWhole),
        string excess => throw new DecodeLimitException(excess),
    };
}
