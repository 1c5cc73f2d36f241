using System.Buffers;
using System.Buffers.Binary;

namespace Larder.Wire;

/// <summary>The five bytes before each message: a flag, 1 where the message is compressed, and its length, big-endian.</summary>
/// <param name="IsCompressed">The flag.</param>
/// <param name="Length">The message's length as declared, in bytes; nothing has been allocated for it.</param>
internal readonly record struct FrameHeader(bool IsCompressed, uint Length)
{
    /// <summary>Bytes in a header.</summary>
    public const int Size = 5;

    /// <summary>Reads the header at the start of <paramref name="buffer"/>; false where fewer than five bytes are there.</summary>
    /// <exception cref="RpcException">The flag is neither 0 nor 1: these bytes are no gRPC.</exception>
    public static bool TryRead(in ReadOnlySequence<byte> buffer, out FrameHeader header)
    {
        if (buffer.FirstSpan.Length >= Size)
        {
            header = Read(buffer.FirstSpan);
            return true;
        }

        return TryReadAcrossSegments(buffer, out header);
    }

    /// <summary>Reads the header at the start of <paramref name="bytes"/>, which holds at least five.</summary>
    /// <exception cref="RpcException">The flag is neither 0 nor 1: these bytes are no gRPC.</exception>
    public static FrameHeader Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes[0] > 1)
        {
            throw new RpcException(new Status(StatusCode.Internal, "A message's flag is neither 0 nor 1."));
        }

        return new FrameHeader(bytes[0] == 1, BinaryPrimitives.ReadUInt32BigEndian(bytes[1..]));
    }

    /// <summary>Writes the header of an uncompressed message of <paramref name="length"/> bytes.</summary>
    public static void Write(Span<byte> destination, int length)
    {
        destination[0] = 0;
        BinaryPrimitives.WriteUInt32BigEndian(destination[1..], (uint)length);
    }

    private static bool TryReadAcrossSegments(in ReadOnlySequence<byte> buffer, out FrameHeader header)
    {
        header = default;
        if (buffer.Length < Size)
        {
            return false;
        }

        Span<byte> bytes = stackalloc byte[Size];
        buffer.Slice(0, Size).CopyTo(bytes);
        header = Read(bytes);
        return true;
    }
}
