using System.Buffers.Binary;

namespace Larder.Harness.Frames;

/// <summary>One HTTP/2 frame (RFC 9113, section 4.1), which may be invalid.</summary>
/// <param name="Type">The frame type.</param>
/// <param name="Flags">The flags.</param>
/// <param name="Stream">The stream identifier. The sign bit of this number is the reserved bit of the header.</param>
/// <param name="Payload">The payload.</param>
public sealed record Http2Frame(byte Type, byte Flags, int Stream, byte[] Payload)
{
    /// <summary>A frame type of RFC 9113, section 6.</summary>
    public const byte Data = 0, Headers = 1, Priority = 2, Reset = 3, Settings = 4, PushPromise = 5, Ping = 6, GoAway = 7, WindowUpdate = 8, Continuation = 9;

    /// <summary>
    /// A frame flag. <see cref="Acknowledge"/> applies to SETTINGS and PING. The other flags apply to HEADERS, and some of them also to DATA.
    /// </summary>
    public const byte EndStream = 1, Acknowledge = 1, EndHeaders = 4, Padded = 8, Weighted = 0x20;

    /// <summary>The size of a frame header, in bytes.</summary>
    public const int HeaderBytes = 9;

    private const int MaxBytes = 0xFF_FFFF;

    /// <summary>Gets the length that the frame header states; null for the actual length of the payload.</summary>
    public int? Length { get; init; }

    /// <summary>Creates a frame whose payload is one 32-bit number.</summary>
    public static Http2Frame Of(byte type, int stream, uint number)
    {
        byte[] payload = new byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(payload, number);
        return new(type, 0, stream, payload);
    }

    /// <summary>Parses consecutive frames; an incomplete last frame is ignored.</summary>
    public static IReadOnlyList<Http2Frame> Read(ReadOnlySpan<byte> bytes)
    {
        var frames = new List<Http2Frame>();
        while (bytes.Length >= HeaderBytes)
        {
            int end = HeaderBytes + ((bytes[0] << 16) | (bytes[1] << 8) | bytes[2]);
            if (bytes.Length < end)
            {
                break;
            }

            frames.Add(new(bytes[3], bytes[4], BinaryPrimitives.ReadInt32BigEndian(bytes[5..]), bytes[HeaderBytes..end].ToArray()));
            bytes = bytes[end..];
        }

        return frames;
    }

    /// <summary>Encodes the frame.</summary>
    public byte[] ToBytes()
    {
        byte[] frame = new byte[HeaderBytes + Payload.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, Math.Clamp(Length ?? Payload.Length, 0, MaxBytes) << 8);
        (frame[3], frame[4]) = (Type, Flags);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(5), Stream);
        Payload.CopyTo(frame, HeaderBytes);
        return frame;
    }
}
