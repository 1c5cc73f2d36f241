using System.Buffers.Binary;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Larder.Protocol;

namespace Larder.Server.Tests.Faults;

/// <summary>Creates requests of an exact size that are as expensive to parse as possible. Each request includes its gRPC prefix.</summary>
internal static class LargestRequests
{
    private const int PrefixBytes = 5;

    // These field numbers are not used by any message of the contract.
    private const int FirstUnknownField = 2_000;
    private const int FillerField = 1_999;

    private static readonly Dictionary<string, MessageDescriptor> s_inputs =
        ((FileDescriptor[])
        [
            CacheReflection.Descriptor, ControlReflection.Descriptor, ExtrasReflection.Descriptor, PubsubReflection.Descriptor, TokenReflection.Descriptor,
        ])
        .SelectMany(static file => file.Services)
        .SelectMany(static service => service.Methods)
        .ToDictionary(static method => $"/{method.Service.FullName}/{method.Name}", static method => method.InputType, StringComparer.Ordinal);

    /// <summary>
    /// Returns a request that consists of field 1 and as many different unknown fields as fit. A generated parser allocates an object for each unknown field.
    /// </summary>
    public static byte[] OfUnknownFields(int bytes) => OfUnknownFields(bytes, [0x0A, 1, (byte)'k']);

    /// <summary>Returns a request that consists of <paramref name="start"/> and unknown fields.</summary>
    public static byte[] OfUnknownFields(int bytes, byte[] start) => Framed(bytes, output =>
    {
        output.Write(start);
        for (int field = FirstUnknownField; output.Position < PrefixBytes + bytes - 16; field++)
        {
            WriteVarint(output, (uint)field << 3);
            output.WriteByte(1);
        }
    });

    /// <summary>
    /// Returns one request for each repeated field of a call's request, at any nesting depth. The request is filled with the smallest elements of this field.
    /// </summary>
    public static IEnumerable<(string Field, byte[] Request)> OfTinyElements(string path, int bytes)
    {
        if (!s_inputs.TryGetValue(path, out MessageDescriptor? input))
        {
            yield break;
        }

        foreach (FieldDescriptor[] fieldPath in RepeatedFields(input, []))
        {
            foreach (byte[] element in Elements(fieldPath[^1]))
            {
                yield return (string.Join('.', fieldPath.Select(static field => field.Name)), OfElements(fieldPath, element, bytes));
            }
        }
    }

    /// <summary>Returns a pipeline message with one operation.</summary>
    /// <param name="callField">The number of the field that contains the call.</param>
    /// <param name="request">The request, with its gRPC prefix.</param>
    public static byte[] InPipeline(int callField, byte[] request)
    {
        byte[] call = [.. Varint(((uint)callField << 3) | 2), .. Varint((uint)(request.Length - PrefixBytes))];
        byte[] operation = [8, 1, .. call];
        byte[] batch = [0x0A, .. Varint((uint)(operation.Length + request.Length - PrefixBytes)), .. operation];
        byte[] frame = [0, 0, 0, 0, 0, .. batch, .. request.AsSpan(PrefixBytes)];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), frame.Length - PrefixBytes);
        return frame;
    }

    /// <summary>Returns the prefix of a message of <paramref name="bytes"/> bytes, followed by only the first byte of the message.</summary>
    public static byte[] Announcing(int bytes)
    {
        byte[] start = new byte[PrefixBytes + 1];
        BinaryPrimitives.WriteInt32BigEndian(start.AsSpan(1), bytes);
        return start;
    }

    // Returns an empty element, and an element with a key of one byte and a number. Many requests require these two fields.
    private static IEnumerable<byte[]> Elements(FieldDescriptor field)
    {
        yield return [];
        yield return field.FieldType == FieldType.Message ? [0x0A, 1, (byte)'k', 0x18, 1] : "k"u8.ToArray();
    }

    private static IEnumerable<FieldDescriptor[]> RepeatedFields(MessageDescriptor message, FieldDescriptor[] fieldPath)
    {
        foreach (FieldDescriptor field in message.Fields.InFieldNumberOrder())
        {
            FieldDescriptor[] further = [.. fieldPath, field];
            if (field.IsRepeated)
            {
                yield return further;
            }
            else if (field.FieldType == FieldType.Message)
            {
                foreach (FieldDescriptor[] within in RepeatedFields(field.MessageType, further))
                {
                    yield return within;
                }
            }
        }
    }

    // Builds a request with the elements in the innermost message of the path. The collection's name precedes them.
    private static byte[] OfElements(FieldDescriptor[] fieldPath, byte[] element, int bytes) => Framed(bytes, output =>
    {
        if (fieldPath[0].FieldNumber != 1)
        {
            output.Write([0x0A, 1, (byte)'k']);
        }

        byte[] one = [.. Tag(fieldPath[^1]), (byte)element.Length, .. element];

        // Reserve space for the tag and the length of each enclosing message. Each needs up to five bytes.
        int room = PrefixBytes + bytes - (int)output.Position - (10 * fieldPath.Length) - 16;
        byte[] elements = new byte[Math.Max(0, room / one.Length * one.Length)];
        for (int at = 0; at < elements.Length; at += one.Length)
        {
            one.CopyTo(elements, at);
        }

        byte[][] around = new byte[fieldPath.Length - 1][];
        int length = elements.Length;
        for (int depth = fieldPath.Length - 2; depth >= 0; depth--)
        {
            around[depth] = [.. Tag(fieldPath[depth]), .. Varint((uint)length)];
            length += around[depth].Length;
        }

        foreach (byte[] start in around)
        {
            output.Write(start);
        }

        output.Write(elements);
    });

    private static byte[] Framed(int bytes, Action<MemoryStream> write)
    {
        byte[] frame = new byte[PrefixBytes + bytes];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), bytes);
        using MemoryStream output = new(frame);
        output.Position = PrefixBytes;
        write(output);

        // One unknown field fills the remaining bytes. Its length is encoded with as many bytes as are needed to reach the exact size.
        int left = frame.Length - (int)output.Position;
        byte[] tag = Varint((FillerField << 3) | (uint)WireFormat.WireType.LengthDelimited);
        int lengthBytes = left - tag.Length - 1 < 128 ? 1 : 2;
        output.Write(tag);
        output.Write(Varint((uint)(left - tag.Length - lengthBytes)));
        return frame;
    }

    private static byte[] Tag(FieldDescriptor field) => Varint(((uint)field.FieldNumber << 3) | (uint)WireFormat.WireType.LengthDelimited);

    private static byte[] Varint(uint value)
    {
        using MemoryStream output = new();
        WriteVarint(output, value);
        return output.ToArray();
    }

    private static void WriteVarint(MemoryStream output, uint value)
    {
        while (value >= 0x80)
        {
            output.WriteByte((byte)(value | 0x80));
            value >>= 7;
        }

        output.WriteByte((byte)value);
    }
}
