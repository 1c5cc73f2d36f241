using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Larder.Wire.Http2;

/// <summary>What both sides ask of a frame's payload before they act on it: its length, and what of it is padding or priority. RFC 9113, 6.</summary>
internal static class FramePayload
{
    // A dependency and a weight, which nobody follows any more: RFC 9113, 6.2.
    private const int PriorityBytes = 5;

    private const int WindowIncrementBytes = 4;
    private const int ErrorCodeBytes = 4;
    private const int PingBytes = 8;
    private const int GoAwayBytes = 8;

    /// <summary>Checks that a frame is no longer than was allowed, before its payload is waited for.</summary>
    /// <exception cref="Http2ConnectionException">It is over <see cref="Http2Limits.FrameBytes"/>.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CheckLength(in Http2FrameHeader header)
    {
        if (header.Length > Http2Limits.FrameBytes)
        {
            throw Http2ConnectionException.FrameSize($"a frame of {header.Length} bytes is over the {Http2Limits.FrameBytes} allowed");
        }
    }

    /// <summary>The payload of DATA or HEADERS without its padding.</summary>
    /// <exception cref="Http2ConnectionException">The padding is longer than its frame.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> WithoutPadding(in Http2FrameHeader header, ReadOnlySpan<byte> payload) =>
        header.Has(Http2FrameHeader.Padded) ? Unpadded(payload) : payload;

    /// <summary>The piece of a header block that a HEADERS frame carries: without padding and priority.</summary>
    /// <exception cref="Http2ConnectionException">The padding is longer than its frame, or the priority is cut off or of the stream itself.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> HeaderBlock(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        ReadOnlySpan<byte> block = WithoutPadding(header, payload);
        return header.Has(Http2FrameHeader.Priority) ? WithoutPriority(header, block) : block;
    }

    /// <summary>By how much a WINDOW_UPDATE widens: 1 to 2^31-1; 0 is an error of the stream that it names.</summary>
    /// <exception cref="Http2ConnectionException">The frame is not four bytes, or widens the connection's window by nothing.</exception>
    public static int WindowIncrement(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        RequireLength(header, WindowIncrementBytes);
        // The top bit is reserved and ignored.
        int increment = BinaryPrimitives.ReadInt32BigEndian(payload) & int.MaxValue;
        return increment > 0 || header.StreamId != 0 ? increment : throw Http2ConnectionException.Protocol("a window is widened by nothing");
    }

    /// <summary>Why a RST_STREAM was sent.</summary>
    /// <exception cref="Http2ConnectionException">The frame is not four bytes.</exception>
    public static uint ErrorCode(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        RequireLength(header, ErrorCodeBytes);
        return BinaryPrimitives.ReadUInt32BigEndian(payload);
    }

    /// <summary>Checks a PING: eight bytes, of the connection.</summary>
    /// <exception cref="Http2ConnectionException">It is of a stream, or of another length.</exception>
    public static void CheckPing(in Http2FrameHeader header)
    {
        RequireLength(header, PingBytes);
        RequireConnection(header);
    }

    /// <summary>Checks a GOAWAY: of the connection, and long enough for its two numbers.</summary>
    /// <exception cref="Http2ConnectionException">It is of a stream, or cut off.</exception>
    public static void CheckGoAway(in Http2FrameHeader header)
    {
        RequireConnection(header);
        if (header.Length < GoAwayBytes)
        {
            throw WrongLength(header);
        }
    }

    /// <summary>Checks a PRIORITY, which nobody follows. False where its length is wrong: an error of its stream.</summary>
    /// <exception cref="Http2ConnectionException">It depends on its own stream.</exception>
    public static bool CheckPriority(in Http2FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (header.Length != PriorityBytes)
        {
            return false;
        }

        _ = WithoutPriority(header, payload);
        return true;
    }

    /// <summary>Checks that a frame which is the connection's names no stream.</summary>
    /// <exception cref="Http2ConnectionException">It names one.</exception>
    public static void RequireConnection(in Http2FrameHeader header)
    {
        if (header.StreamId != 0)
        {
            throw Http2ConnectionException.Protocol($"a {header.Type} frame names stream {header.StreamId}");
        }
    }

    /// <summary>Checks that a frame which is a stream's names one.</summary>
    /// <exception cref="Http2ConnectionException">It names none.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void RequireStream(in Http2FrameHeader header)
    {
        if (header.StreamId == 0)
        {
            throw Http2ConnectionException.Protocol($"a {header.Type} frame names no stream");
        }
    }

    /// <summary>What is said of a frame whose length its kind does not allow.</summary>
    public static Http2ConnectionException WrongLength(in Http2FrameHeader header) =>
        Http2ConnectionException.FrameSize($"a {header.Type} frame of {header.Length} bytes on stream {header.StreamId}");

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
            : throw Http2ConnectionException.Protocol("the padding is longer than its frame");

    private static ReadOnlySpan<byte> WithoutPriority(in Http2FrameHeader header, ReadOnlySpan<byte> block)
    {
        if (block.Length < PriorityBytes)
        {
            throw Http2ConnectionException.FrameSize("a priority is cut off");
        }

        // The top bit says "exclusive".
        int dependsOn = BinaryPrimitives.ReadInt32BigEndian(block) & int.MaxValue;
        return dependsOn != header.StreamId ? block[PriorityBytes..] : throw Http2ConnectionException.Protocol($"stream {header.StreamId} depends on itself");
    }
}
