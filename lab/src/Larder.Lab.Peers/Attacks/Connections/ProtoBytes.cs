using System.Buffers.Binary;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Encodes Protocol Buffers manually, because attacks send bytes that no generated message would contain.</summary>
internal static class ProtoBytes
{
    private const int PrefixBytes = 5;

    /// <summary>Encodes a field of bytes.</summary>
    public static byte[] Bytes(int field, params ReadOnlySpan<byte> value)
    {
        byte[] head = [.. Varint(((ulong)field << 3) | 2), .. Varint((ulong)value.Length)];
        byte[] whole = new byte[head.Length + value.Length];
        head.CopyTo(whole, 0);
        value.CopyTo(whole.AsSpan(head.Length));
        return whole;
    }

    /// <summary>Encodes a field with a number.</summary>
    public static byte[] Number(int field, ulong value) => [.. Varint((ulong)field << 3), .. Varint(value)];

    /// <summary>Encodes a field with a double.</summary>
    public static byte[] Double(int field, double value)
    {
        byte[] bytes = new byte[8];
        BinaryPrimitives.WriteDoubleLittleEndian(bytes, value);
        return [.. Varint(((ulong)field << 3) | 1), .. bytes];
    }

    /// <summary>Encodes a field with a float.</summary>
    public static byte[] Float(int field, float value)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteSingleLittleEndian(bytes, value);
        return [.. Varint(((ulong)field << 3) | 5), .. bytes];
    }

    /// <summary>Returns the bytes, repeated <paramref name="count"/> times.</summary>
    public static byte[] Repeat(ReadOnlySpan<byte> bytes, int count)
    {
        byte[] whole = new byte[bytes.Length * count];
        for (int at = 0; at < whole.Length; at += bytes.Length)
        {
            bytes.CopyTo(whole.AsSpan(at));
        }

        return whole;
    }

    /// <summary>Encodes one operation of a pipelined batch.</summary>
    /// <param name="id">The id of the operation.</param>
    /// <param name="field">The field number of <c>Operation.call</c>.</param>
    /// <param name="request">The encoded request.</param>
    public static byte[] Operation(uint id, int field, ReadOnlySpan<byte> request) => Bytes(1, [.. Number(1, id), .. Bytes(field, request)]);

    /// <summary>Adds gRPC's message prefix: a flag for "not compressed", and the length.</summary>
    public static byte[] Framed(ReadOnlySpan<byte> message)
    {
        byte[] framed = new byte[PrefixBytes + message.Length];
        BinaryPrimitives.WriteInt32BigEndian(framed.AsSpan(1), message.Length);
        message.CopyTo(framed.AsSpan(PrefixBytes));
        return framed;
    }

    /// <summary>Parses the fields of a message, in order. The value of a field is a number, or the bytes of a length-delimited field.</summary>
    /// <exception cref="FormatException">The bytes are not a message.</exception>
    public static IReadOnlyList<(int Field, ulong Number, ReadOnlyMemory<byte> Bytes)> Read(ReadOnlyMemory<byte> message)
    {
        var fields = new List<(int, ulong, ReadOnlyMemory<byte>)>();
        int at = 0;
        while (at < message.Length)
        {
            ulong tag = ReadVarint(message.Span, ref at);
            ulong number = 0;
            int length = 0;
            switch (tag & 7)
            {
                case 0: number = ReadVarint(message.Span, ref at); break;
                case 1: length = 8; break;
                case 2: length = checked((int)ReadVarint(message.Span, ref at)); break;
                case 5: length = 4; break;
                default: throw new FormatException($"unknown wire type {tag & 7}");
            }

            if (length > message.Length - at)
            {
                throw new FormatException("a field extends past the end of its message");
            }

            fields.Add(((int)(tag >> 3), number, message.Slice(at, length)));
            at += length;
        }

        return fields;
    }

    private static ulong ReadVarint(ReadOnlySpan<byte> bytes, ref int at)
    {
        ulong value = 0;
        for (int shift = 0; at < bytes.Length && shift < 64; shift += 7)
        {
            byte next = bytes[at++];
            value |= (ulong)(next & 0x7F) << shift;
            if (next < 0x80)
            {
                return value;
            }
        }

        throw new FormatException("a varint is not terminated");
    }

    private static byte[] Varint(ulong value)
    {
        Span<byte> bytes = stackalloc byte[10];
        int count = 0;
        for (; value >= 0x80; value >>= 7)
        {
            bytes[count++] = (byte)(value | 0x80);
        }

        bytes[count++] = (byte)value;
        return bytes[..count].ToArray();
    }
}
