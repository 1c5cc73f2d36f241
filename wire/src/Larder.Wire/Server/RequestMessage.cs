using System.Buffers;
using System.IO.Pipelines;

namespace Larder.Wire;

/// <summary>The one message of a unary or server-streaming request, found in the body's buffers without copying it.</summary>
internal static class RequestMessage
{
    /// <summary>Looks for the whole message in what has arrived.</summary>
    /// <returns>False where more must arrive.</returns>
    /// <exception cref="RpcException">The message is over the limit, is cut off, or is followed by another.</exception>
    public static bool TryParse(in ReadResult read, int limitBytes, out bool isCompressed, out ReadOnlySequence<byte> payload)
    {
        ReadOnlySequence<byte> buffer = read.Buffer;
        isCompressed = false;
        payload = default;
        if (!FrameHeader.TryRead(buffer, out FrameHeader header))
        {
            return read.IsCompleted ? throw CutOff() : false;
        }

        if (header.Length > (uint)limitBytes)
        {
            throw new RpcException(MessageLimit.Exceeded(limitBytes));
        }

        long rest = buffer.Length - FrameHeader.Size - header.Length;
        if (rest > 0)
        {
            throw new RpcException(new Status(StatusCode.Internal, "The call takes one message and more arrived."));
        }

        if (rest < 0 || !read.IsCompleted)
        {
            return read.IsCompleted ? throw CutOff() : false;
        }

        isCompressed = header.IsCompressed;
        payload = buffer.Slice(FrameHeader.Size);
        return true;
    }

    private static RpcException CutOff() => new(new Status(StatusCode.Internal, "The request ended before its message did."));
}
