using System.Buffers.Binary;
using System.Text;
using Larder.Wire.Protobuf;

namespace Larder.Server.Topics;

/// <summary>
/// Encodes <c>SubscriptionItem</c> messages with the 5-byte header of a gRPC message. Fields: 1 item (1 number, 2 value, 3 publisher ID, 4 page), 2
/// discontinuity (1 last number, 2 new number, 3 new page), 3 heartbeat.
/// </summary>
internal static class TopicFrames
{
    /// <summary>The maximum number of bytes of an item in addition to its value and publisher ID: the header, tags, lengths and two numbers.</summary>
    public const int MaxOverhead = 5 + (4 * 6) + (2 * 11);

    private const int Header = 5;
    private const int ItemField = 1;
    private const int DiscontinuityField = 2;

    /// <summary>The encoded heartbeat, which is an empty message in field 3.</summary>
    public static readonly byte[] Heartbeat = [0, 0, 0, 0, 2, (3 << 3) | 2, 0];

    public static byte[] Item(TopicPosition at, in TopicMessage message)
    {
        int id = Encoding.UTF8.GetByteCount(message.PublisherId);
        int inner = ProtoWriter.VarintFieldLength(1, at.Number)
            + ProtoWriter.BytesFieldLength(2, message.Value.Length)
            + (id == 0 ? 0 : ProtoWriter.BytesFieldLength(3, id))
            + VarintLength(4, at.Page);
        byte[] frame = Framed(ItemField, inner, out ProtoWriter writer);
        writer.WriteVarintField(1, at.Number);
        writer.WriteBytesField(2, message.Value.Span);
        if (id > 0)
        {
            writer.WriteLengthPrefix(3, id);
            Encoding.UTF8.GetBytes(message.PublisherId, writer.Reserve(id));
        }

        WriteVarint(ref writer, 4, at.Page);
        return frame;
    }

    public static byte[] Discontinuity(ulong last, TopicPosition goesOnAfter)
    {
        int inner = VarintLength(1, last) + VarintLength(2, goesOnAfter.Number) + VarintLength(3, goesOnAfter.Page);
        byte[] frame = Framed(DiscontinuityField, inner, out ProtoWriter writer);
        WriteVarint(ref writer, 1, last);
        WriteVarint(ref writer, 2, goesOnAfter.Number);
        WriteVarint(ref writer, 3, goesOnAfter.Page);
        return frame;
    }

    private static byte[] Framed(int field, int inner, out ProtoWriter writer)
    {
        int message = ProtoWriter.BytesFieldLength(field, inner);
        byte[] frame = GC.AllocateUninitializedArray<byte>(Header + message);
        frame[0] = 0;
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(1), (uint)message);
        writer = new ProtoWriter(frame.AsSpan(Header));
        writer.WriteLengthPrefix(field, inner);
        return frame;
    }

    // Proto3 omits the value 0.
    private static int VarintLength(int field, ulong value) => value == 0 ? 0 : ProtoWriter.VarintFieldLength(field, value);

    private static void WriteVarint(ref ProtoWriter writer, int field, ulong value)
    {
        if (value != 0)
        {
            writer.WriteVarintField(field, value);
        }
    }
}
