using System.Buffers;
using Google.Protobuf;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Writes responses in the forms that several calls use.</summary>
internal static class ResponseWriting
{
    /// <summary>Writes bytes that are already encoded.</summary>
    public static void WriteMessage(this IBufferWriter<byte> response, ReadOnlySpan<byte> message) => response.Write(message);

    /// <summary>
    /// Writes a whole message. Reserves the exact size in one step. A large message therefore waits until its connection has enough buffer space, and takes no
    /// more memory than its size.
    /// </summary>
    public static void WriteWhole(this IBufferWriter<byte> response, IMessage message)
    {
        int length = message.CalculateSize();
        if (length > 0)
        {
            message.WriteTo(response.GetSpan(length)[..length]);
            response.Advance(length);
        }
    }

    /// <summary>Writes a oneof with an empty message, for example "stored" or "missing".</summary>
    public static void WriteEmptyArm(this IBufferWriter<byte> response, int field)
    {
        Span<byte> arm = response.GetSpan(2);
        arm[0] = (byte)((field << 3) | (int)ProtoWireType.LengthDelimited);
        arm[1] = 0;
        response.Advance(2);
    }

    /// <summary>Writes a oneof with a message that contains one varint in field 1.</summary>
    public static void WriteVarintArm(this IBufferWriter<byte> response, int field, ulong value)
    {
        int inner = value == 0 ? 0 : ProtoWriter.VarintFieldLength(1, value);
        int total = ProtoWriter.BytesFieldLength(field, inner);
        ProtoWriter writer = new(response.GetSpan(total));
        writer.WriteLengthPrefix(field, inner);
        if (value != 0)
        {
            writer.WriteVarintField(1, value);
        }

        response.Advance(total);
    }

    /// <summary>Writes a message that contains one varint. Proto3 omits the value 0.</summary>
    public static void WriteVarint(this IBufferWriter<byte> response, int field, ulong value)
    {
        if (value != 0)
        {
            int length = ProtoWriter.VarintFieldLength(field, value);
            ProtoWriter writer = new(response.GetSpan(length));
            writer.WriteVarintField(field, value);
            response.Advance(length);
        }
    }

    /// <summary>Writes a message that contains one double. Proto3 omits the value 0 but not the value −0.</summary>
    public static void WriteDouble(this IBufferWriter<byte> response, int field, double value)
    {
        if (BitConverter.DoubleToInt64Bits(value) != 0)
        {
            int length = ProtoWriter.DoubleFieldLength(field);
            ProtoWriter writer = new(response.GetSpan(length));
            writer.WriteDoubleField(field, value);
            response.Advance(length);
        }
    }

    /// <summary>Writes a oneof with a message that contains bytes in field 1.</summary>
    public static void WriteBytesArm(this IBufferWriter<byte> response, int field, ReadOnlySpan<byte> bytes)
    {
        int inner = ProtoWriter.BytesFieldLength(1, bytes.Length);
        int length = ProtoWriter.BytesFieldLength(field, inner);
        ProtoWriter writer = new(response.GetSpan(length));
        writer.WriteLengthPrefix(field, inner);
        writer.WriteBytesField(1, bytes);
        response.Advance(length);
    }
}
