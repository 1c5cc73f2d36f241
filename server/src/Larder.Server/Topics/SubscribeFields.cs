using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Topics;

/// <summary>Decodes the request of Subscribe. Fields: 1 the cache, 2 the topic, 3 the number of the message to resume at, 4 the page of that number.</summary>
internal static class SubscribeFields
{
    /// <summary>Decodes and checks the request. Returns the error; null on success.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out TopicKey topic, out TopicStart start)
    {
        topic = default;
        start = default;
        ReadOnlySpan<byte> cache = default;
        ReadOnlySpan<byte> name = default;
        ulong resumeAt = 0;
        ulong page = 0;
        ProtoReader reader = new(request);
        while (reader.NextField())
        {
            bool isRead = (reader.Field, reader.WireType) switch
            {
                (1, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out cache),
                (2, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out name),
                (3, ProtoWireType.Varint) => reader.TryReadVarint(out resumeAt),
                (4, ProtoWireType.Varint) => reader.TryReadVarint(out page),
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

        start = new TopicStart(resumeAt, page);
        return TopicNames.Decode(cache, name, out topic);
    }
}
