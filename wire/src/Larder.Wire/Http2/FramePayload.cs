using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Larder.Wire.Http2;

/// <summary>Validates the payloads of frames, on client and server: their length, padding and priority (RFC 9113, section 6).</summary>
internal static class FramePayload
{
    // The size of the priority fields: a stream dependency and a weight. Both are deprecated and ignored (RFC 9113, section 6.2).
    private const int PriorityBytes = 5;

    private const int WindowIncrementBytes = 4;
    private const int ErrorCodeBytes = 4;
    private const int PingBytes = 8;
    private const int GoAwayBytes = 8;

    /// <summary>Checks that a frame is not longer than allowed, before its payload is received.</summary>
    /// <exception cref="Http2ConnectionException">The frame is longer than <see cref="Http2Limits.FrameBytes"/>.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CheckLength(in Http2FrameHeader header)
    {
        if (header.Length > Http2Limits.FrameBytes)
        {
            throw Http2ConnectionException.FrameSize($"a frame of {header.Length} bytes exceeds the limit of {Http2Limits.FrameBytes} bytes");
        }
    }

    /// <summary>Returns the payload of a DATA or HEADERS frame without its padding.</summary>
    /// <exception cref="Http2ConnectionException">The padding is longer than the frame.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> WithoutPadding(in Http2FrameHeader header, ReadOnlySpan<byte> payload) =>
        header.Has(Http2FrameHeader.Padded) ? Unpadded(payload) : payload;

    /// <summary>Returns the header block fragment of a HEADERS frame, without padding and priority.</summary>
    /// <exception cref="Http2ConnectionException">The padding is longer than the frame, the priority is truncated, or the stream depends on itself.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> HeaderBlock(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        ReadOnlySpan<byte> block = WithoutPadding(header, payload);
        return header.Has(Http2FrameHeader.Priority) ? WithoutPriority(header, block) : block;
    }

    /// <summary>
    /// Returns the increment of a WINDOW_UPDATE frame, which is 1 to 2^31-1. Returns 0 if the increment of a stream is invalid, which is an
    /// error of that stream.
    /// </summary>
    /// <exception cref="Http2ConnectionException">The frame does not have four bytes, or its increment is 0 and applies to the connection.</exception>
    public static int WindowIncrement(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        RequireLength(header, WindowIncrementBytes);
        // The top bit is reserved and ignored.
        int increment = BinaryPrimitives.ReadInt32BigEndian(payload) & int.MaxValue;
        return increment > 0 || header.StreamId != 0 ? increment : throw Http2ConnectionException.Protocol("a window update has increment 0");
    }

    /// <summary>Returns the error code of a RST_STREAM frame.</summary>
    /// <exception cref="Http2ConnectionException">The frame does not have four bytes.</exception>
    public static uint ErrorCode(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        RequireLength(header, ErrorCodeBytes);
        return BinaryPrimitives.ReadUInt32BigEndian(payload);
    }

    /// <summary>Checks a PING frame. It must have eight bytes and belong to the connection.</summary>
    /// <exception cref="Http2ConnectionException">The frame belongs to a stream or has another length.</exception>
    public static void CheckPing(in Http2FrameHeader header)
    {
        RequireLength(header, PingBytes);
        RequireConnection(header);
    }

    /// <summary>Checks a GOAWAY frame. It must belong to the connection and contain at least the stream id and the error code.</summary>
    /// <exception cref="Http2ConnectionException">The frame belongs to a stream or is truncated.</exception>
    public static void CheckGoAway(in Http2FrameHeader header)
    {
        RequireConnection(header);
        if (header.Length < GoAwayBytes)
        {
            throw WrongLength(header);
        }
    }

    /// <summary>
    /// Checks a PRIORITY frame, whose content is ignored. Returns false if the length of the frame is wrong. This is an error of the frame's stream.
    /// </summary>
    /// <exception cref="Http2ConnectionException">The stream depends on itself.</exception>
    public static bool CheckPriority(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (header.Length != PriorityBytes)
        {
            return false;
        }

        _ = WithoutPriority(header, payload);
        return true;
    }

    /// <summary>Checks that a frame of the connection has no stream id.</summary>
    /// <exception cref="Http2ConnectionException">The frame has a stream id.</exception>
    public static void RequireConnection(in Http2FrameHeader header)
    {
        if (header.StreamId != 0)
        {
            throw Http2ConnectionException.Protocol($"a {header.Type} frame must have stream id 0, but has {header.StreamId}");
        }
    }

    /// <summary>Checks that a frame of a stream has a stream id.</summary>
    /// <exception cref="Http2ConnectionException">The frame has no stream id.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void RequireStream(in Http2FrameHeader header)
    {
        if (header.StreamId == 0)
        {
            throw Http2ConnectionException.Protocol($"a {header.Type} frame must not have stream id 0");
        }
    }

    /// <summary>Returns the exception for a frame whose length is invalid for its type.</summary>
    public static Http2ConnectionException WrongLength(in Http2FrameHeader header) =>
        Http2ConnectionException.FrameSize($"a {header.Type} frame of {header.Length} bytes on stream {header.StreamId} has the wrong length");

    private static void RequireLength(in Http2FrameHeader header, int bytes)
    {
        if (header.Length != bytes)
        {
            throw WrongLength(header);
        }
    }

    private static ReadOnlySpan<byte> Unpadded(ReadOnlySpan<byte> payload) =>
        payload.Length > 0 && payload[0] < payload.Length
            ? payload[1..^payload[0]]
            : throw Http2ConnectionException.Protocol("the padding of a frame is longer than the frame");

    private static ReadOnlySpan<byte> WithoutPriority(in Http2FrameHeader header, ReadOnlySpan<byte> block)
    {
        if (block.Length < PriorityBytes)
        {
            throw Http2ConnectionException.FrameSize("the priority of a HEADERS frame is truncated");
        }

        // The top bit is the exclusive flag, which is ignored.
        int dependsOn = BinaryPrimitives.ReadInt32BigEndian(block) & int.MaxValue;
        return dependsOn != header.StreamId ? block[PriorityBytes..] : throw Http2ConnectionException.Protocol($"stream {header.StreamId} depends on itself");
    }
}
