using System.Buffers;

namespace Larder.Wire;

/// <summary>Extracts the single message of a unary or server-streaming request.</summary>
internal static class RequestMessage
{
    /// <summary>Returns the message in a complete body.</summary>
    /// <exception cref="RpcException">The message exceeds the limit, is truncated, or is followed by another message.</exception>
    public static ReadOnlySequence<byte> Parse(ReadOnlyMemory<byte> body, int limitBytes, out bool isCompressed)
    {
        if (body.Length < FrameHeader.Size)
        {
            throw TruncatedBlock();
        }

        FrameHeader header = FrameHeader.Read(body.Span);
        CheckLimit(header, limitBytes);
        long rest = body.Length - FrameHeader.Size - header.Length;
        if (rest != 0)
        {
            throw rest < 0 ? TruncatedBlock() : TooManyMessages();
        }

        isCompressed = header.IsCompressed;
        return new ReadOnlySequence<byte>(body[FrameHeader.Size..]);
    }

    /// <summary>Checks a body that is still arriving, so that a message above the limit is rejected early.</summary>
    /// <exception cref="RpcException">The message exceeds the limit, is invalid, or is followed by another message.</exception>
    public static void CheckArriving(ReadOnlySpan<byte> arrived, int limitBytes)
    {
        if (arrived.Length < FrameHeader.Size)
        {
            return;
        }

        FrameHeader header = FrameHeader.Read(arrived);
        CheckLimit(header, limitBytes);
        if (arrived.Length - FrameHeader.Size > header.Length)
        {
            throw TooManyMessages();
        }
    }

    private static void CheckLimit(FrameHeader header, int limitBytes)
    {
        if (header.Length > (uint)limitBytes)
        {
            throw new RpcException(MessageLimit.Exceeded(limitBytes));
        }
    }

    private static RpcException TooManyMessages() => new(new Status(StatusCode.Internal, "Expected one request message, got more."));

    private static RpcException TruncatedBlock() => new(new Status(StatusCode.Internal, "The request ended in the middle of a message."));
}
