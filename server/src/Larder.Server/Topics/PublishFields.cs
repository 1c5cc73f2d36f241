using System.Text;
using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Topics;

/// <summary>Decodes the request of Publish. Fields: 1 the cache, 2 the topic, 3 the value, which is a message with a oneof of 1 text and 2 binary.</summary>
internal static class PublishFields
{
    private const int TextField = 1;
    private const int BinaryField = 2;

    /// <summary>Decodes and checks the request.</summary>
    /// <param name="request">The request message.</param>
    /// <param name="topic">The topic.</param>
    /// <param name="value">The encoded value field. It is sent to subscribers unchanged.</param>
    /// <param name="valueBytes">The size of the text or binary value in bytes, without its encoding.</param>
    /// <returns>The error; null on success.</returns>
    public static CallError? Decode(ReadOnlyMemory<byte> request, out TopicKey topic, out ReadOnlyMemory<byte> value, out int valueBytes)
    {
        topic = default;
        value = default;
        valueBytes = 0;
        ReadOnlySpan<byte> cache = default;
        ReadOnlySpan<byte> name = default;
        ReadOnlySpan<byte> message = default;
        ProtoReader reader = new(request.Span);
        while (reader.NextField())
        {
            bool isRead = (reader.Field, reader.WireType) switch
            {
                (1, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out cache),
                (2, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out name),
                (3, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out message),
                _ => reader.TrySkip(),
            };
            if (!isRead)
            {
                break;
            }
        }

        if (reader.IsMalformed)
        {
            return CallError.Malformed;
        }

        if (TopicNames.Decode(cache, name, out topic) is { } error)
        {
            return error;
        }

        return DecodeValue(message, request, out value, out valueBytes);
    }

    // If a oneof is set more than once, the last field is used.
    private static CallError? DecodeValue(ReadOnlySpan<byte> message, ReadOnlyMemory<byte> request, out ReadOnlyMemory<byte> value, out int valueBytes)
    {
        value = default;
        valueBytes = -1;
        bool isText = false;
        ReadOnlySpan<byte> last = default;
        ReadOnlySpan<byte> field = default;
        ProtoReader reader = new(message);
        int before = 0;
        while (reader.NextField())
        {
            if (reader.Field is not (TextField or BinaryField) || reader.WireType != ProtoWireType.LengthDelimited)
            {
                if (!reader.TrySkip())
                {
                    break;
                }
            }
            else if (reader.TryReadBytes(out last))
            {
                isText = reader.Field == TextField;
                valueBytes = last.Length;
                field = message[before..reader.Position];
            }

            before = reader.Position;
        }

        if (reader.IsMalformed)
        {
            return CallError.Malformed;
        }

        if (valueBytes < 0)
        {
            return TopicErrors.NoValue;
        }

        if (valueBytes > TopicLimits.MaxMessageBytes)
        {
            return TopicErrors.MessageTooLarge(valueBytes);
        }

        if (isText && !System.Text.Unicode.Utf8.IsValid(last))
        {
            return CallError.Malformed;
        }

        request.Span.Overlaps(field, out int at);
        value = request.Slice(at, field.Length);
        return null;
    }
}
