using System.Buffers.Binary;
using System.Text;
using Larder.Harness.Frames;
using static Larder.Harness.Frames.Http2Frame;

namespace Larder.Conformance.Hostile;

/// <summary>Builds bytes of HTTP/2, gRPC and protobuf, valid or invalid as requested.</summary>
internal static class HostileFrame
{
    // The default maximum frame payload, SETTINGS_MAX_FRAME_SIZE (RFC 9113, section 6.5.2).
    private const int FrameBytes = 16_384;

    // The headers and trailers of every answer. Field 8 of the static table is ":status: 200".
    public static readonly byte[] AnswerHead = [0x88, .. Header("content-type", "application/grpc")];
    public static readonly byte[] AnswerEnd = Header("grpc-status", "0");

    /// <summary>Builds a frame with any payload.</summary>
    public static byte[] Of(byte type, byte flags, int stream, ReadOnlySpan<byte> payload) => new Http2Frame(type, flags, stream, payload.ToArray()).ToBytes();

    /// <summary>Splits the bytes into DATA frames.</summary>
    public static byte[] InData(int stream, ReadOnlySpan<byte> bytes)
    {
        using var frames = new MemoryStream();
        for (int at = 0; at < bytes.Length; at += FrameBytes)
        {
            frames.Write(Of(Data, 0, stream, bytes[at..Math.Min(at + FrameBytes, bytes.Length)]));
        }

        return frames.ToArray();
    }

    /// <summary>Builds a complete unary answer: headers, the bytes of one message, and OK trailers.</summary>
    public static byte[] Answer(int stream, byte[] framed) =>
        [.. Of(Headers, EndHeaders, stream, AnswerHead), .. InData(stream, framed), .. Of(Headers, EndHeaders | EndStream, stream, AnswerEnd)];

    /// <summary>Builds a SETTINGS frame with the given entries.</summary>
    public static byte[] SettingsOf(params (ushort Id, uint Value)[] entries)
    {
        byte[] payload = new byte[entries.Length * 6];
        for (int i = 0; i < entries.Length; i++)
        {
            BinaryPrimitives.WriteUInt16BigEndian(payload.AsSpan(i * 6), entries[i].Id);
            BinaryPrimitives.WriteUInt32BigEndian(payload.AsSpan((i * 6) + 2), entries[i].Value);
        }

        return Of(Settings, 0, 0, payload);
    }

    /// <summary>Builds a frame whose payload is one 32-bit number, such as WINDOW_UPDATE or RST_STREAM.</summary>
    public static byte[] WithNumber(byte type, int stream, uint number) => Http2Frame.Of(type, stream, number).ToBytes();

    /// <summary>
    /// Builds a literal header field without Huffman coding. If <paramref name="kind"/> is 0x40, the client must add the field to its dynamic table.
    /// </summary>
    public static byte[] Header(string name, string value, byte kind = 0) =>
        [kind, .. HpackText(Encoding.Latin1.GetBytes(name)), .. HpackText(Encoding.Latin1.GetBytes(value))];

    /// <summary>Prefixes a message with gRPC's five-byte header.</summary>
    public static byte[] Message(ReadOnlySpan<byte> message, byte flag = 0) => [flag, .. BigEndian((uint)message.Length), .. message];

    /// <summary>Builds gRPC's five-byte header for a message of this length, without the message.</summary>
    public static byte[] Promise(uint length, byte flag = 0) => [flag, .. BigEndian(length)];

    /// <summary>Builds a protobuf field whose value is bytes.</summary>
    public static byte[] Field(int number, ReadOnlySpan<byte> bytes) => [.. Varint(((ulong)number << 3) | 2), .. Varint((ulong)bytes.Length), .. bytes];

    /// <summary>Builds a protobuf field whose value is a number.</summary>
    public static byte[] Field(int number, ulong value) => [.. Varint((ulong)number << 3), .. Varint(value)];

    private static byte[] HpackText(byte[] text)
    {
        if (text.Length < 127)
        {
            return [(byte)text.Length, .. text];
        }

        return [127, .. Varint((ulong)text.Length - 127), .. text];
    }

    private static byte[] BigEndian(uint number)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, number);
        return bytes;
    }

    private static byte[] Varint(ulong number)
    {
        var bytes = new List<byte>(10);
        for (; number >= 0x80; number >>= 7)
        {
            bytes.Add((byte)(number | 0x80));
        }

        bytes.Add((byte)number);
        return [.. bytes];
    }
}
