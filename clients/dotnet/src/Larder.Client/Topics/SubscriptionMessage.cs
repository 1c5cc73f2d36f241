using System.Buffers;
using System.Text;
using Larder.Client.Operations;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Client.Topics;

/// <summary>The message SubscriptionItem of pubsub.proto: one message of a subscription's stream.</summary>
internal readonly struct SubscriptionMessage
{
    private SubscriptionMessage(MessageKind kind, ulong number = 0, ulong page = 0, ulong last = 0)
    {
        Kind = kind;
        Number = number;
        Page = page;
        Last = last;
    }

    /// <summary>The kinds of messages. The value of a known kind is the number of its field in the message's oneof.</summary>
    public enum MessageKind
    {
        /// <summary>A kind that this client does not know. The message is ignored, but it shows that the stream is alive.</summary>
        Unknown,
        Item = 1,
        Discontinuity = 2,
        Heartbeat = 3,
    }

    public static MessageCodec<SubscriptionMessage> Codec { get; } = new ItemCodec();

    public MessageKind Kind { get; }

    /// <summary>For an item, gets its sequence number. For a discontinuity, gets the sequence number of the next message minus 1.</summary>
    public ulong Number { get; }

    public ulong Page { get; }

    /// <summary>For a discontinuity, gets the last sequence number before the gap.</summary>
    public ulong Last { get; }

    /// <summary>Gets the event of an item. Null for other kinds of messages.</summary>
    public TopicEvent.Item? Item { get; private init; }

    /// <summary>Parses a message.</summary>
    /// <exception cref="FormatException">The bytes are not a valid message.</exception>
    public static SubscriptionMessage Decode(ReadOnlySpan<byte> payload)
    {
        MessageKind kind = (MessageKind)Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content);
        switch (kind)
        {
            case MessageKind.Item:
                return DecodeItem(content);
            case MessageKind.Discontinuity:
                return new SubscriptionMessage(kind, Answer.ReadVarint(content, 2), Answer.ReadVarint(content, 3), Answer.ReadVarint(content, 1));
            case MessageKind.Heartbeat:
                Answer.RequireWellFormed(content);
                return new SubscriptionMessage(kind);
            default:
                return default;
        }
    }

    private static SubscriptionMessage DecodeItem(ReadOnlySpan<byte> content)
    {
        ulong number = 0;
        ulong page = 0;
        ReadOnlySpan<byte> value = default;
        ReadOnlySpan<byte> publisher = default;
        ProtoReader reader = new(content);
        while (reader.NextField())
        {
            bool isKnown = (reader.Is(1, ProtoWireType.Varint) && reader.TryReadVarint(out number))
                || (reader.Is(2, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out value))
                || (reader.Is(3, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out publisher))
                || (reader.Is(4, ProtoWireType.Varint) && reader.TryReadVarint(out page));
            if (!isKnown && !reader.TrySkip())
            {
                break;
            }
        }

        Answer.ThrowIfMalformed(reader);
        // TopicValue: field 1 is text, field 2 is bytes. A value with neither is empty bytes.
        bool isText = Answer.ReadOutcome(value, out ReadOnlySpan<byte> bytes) == 1;
        string publisherId = publisher.IsEmpty ? "" : Encoding.UTF8.GetString(publisher);
        return new SubscriptionMessage(MessageKind.Item, number, page)
        {
            Item = new TopicEvent.Item(bytes.ToArray(), isText, number, page, publisherId),
        };
    }

    private sealed class ItemCodec : MessageCodec<SubscriptionMessage>
    {
        public override int Measure(SubscriptionMessage message) => throw new NotSupportedException("A client does not send subscription messages.");

        public override void Encode(SubscriptionMessage message, IBufferWriter<byte> destination) =>
            throw new NotSupportedException("A client does not send subscription messages.");

        public override SubscriptionMessage Decode(in ReadOnlySequence<byte> payload) =>
            SubscriptionMessage.Decode(payload.IsSingleSegment ? payload.FirstSpan : payload.ToArray());
    }
}
