using System.Buffers.Binary;

namespace Larder.Harness.Frames;

/// <summary>One frame of HTTP/2 (RFC 9113, 4.1), as right or as wrong as it was made.</summary>
/// <param name="Type">Its type.</param>
/// <param name="Flags">Its flags.</param>
/// <param name="Stream">The stream that it names; a negative number has the reserved bit.</param>
/// <param name="Payload">What it carries.</param>
public sealed record Http2Frame(byte Type, byte Flags, int Stream, byte[] Payload)
{
    /// <summary>A type of section 6.</summary>
    public const byte Data = 0, Headers = 1, Priority = 2, Reset = 3, Settings = 4, PushPromise = 5, Ping = 6, GoAway = 7, WindowUpdate = 8, Continuation = 9;

    /// <summary>A flag; <see cref="Acknowledge"/> of settings and pings, the others of frames that carry calls.</summary>
    public const byte EndStream = 1, Acknowledge = 1, EndHeaders = 4, Padded = 8, Weighted = 0x20;

    /// <summary>Bytes of a frame's header.</summary>
    public const int HeaderBytes = 9;

    private const int MostBytes = 0xFF_FFFF;

    /// <summary>The length that its header tells; null: that of its payload.</summary>
    public int? Length { get; init; }

    /// <summary>A frame whose payload is one number.</summary>
    public static Http2Frame Of(byte type, int stream, uint number)
    {
        byte[] payload = new byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(payload, number);
        return new(type, 0, stream, payload);
    }

    /// <summary>The frames that lie one after another in these bytes; what follows the last whole one is left.</summary>
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

    /// <summary>As it is sent.</summary>
    public byte[] ToBytes()
    {
        byte[] frame = new byte[HeaderBytes + Payload.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, Math.Clamp(Length ?? Payload.Length, 0, MostBytes) << 8);
        (frame[3], frame[4]) = (Type, Flags);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(5), Stream);
        Payload.CopyTo(frame, HeaderBytes);
        return frame;
    }
}
