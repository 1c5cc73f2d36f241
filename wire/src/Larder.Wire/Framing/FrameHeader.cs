using System.Buffers;
using System.Buffers.Binary;

namespace Larder.Wire;

/// <summary>The five-byte gRPC prefix of each message: a flag (1 if the message is compressed) and the message's length, big-endian.</summary>
/// <param name="IsCompressed">True if the message is compressed.</param>
/// <param name="Length">The declared length of the message, in bytes. It is not checked, and no memory has been allocated for the message.</param>
internal readonly record struct FrameHeader(bool IsCompressed, uint Length)
{
    /// <summary>The size of a header, in bytes.</summary>
    public const int Size = 5;

    /// <summary>Reads the header at the start of <paramref name="buffer"/>. Returns false if the buffer has fewer than five bytes.</summary>
    /// <exception cref="RpcException">The flag is neither 0 nor 1, so the bytes are not gRPC.</exception>
    public static bool TryRead(in ReadOnlySequence<byte> buffer, out FrameHeader header)
    {
        if (buffer.FirstSpan.Length >= Size)
        {
            header = Read(buffer.FirstSpan);
            return true;
        }

        return TryReadAcrossSegments(buffer, out header);
    }

    /// <summary>Reads the header at the start of <paramref name="bytes"/>, which must contain at least five bytes.</summary>
    /// <exception cref="RpcException">The flag is neither 0 nor 1, so the bytes are not gRPC.</exception>
    public static FrameHeader Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes[0] > 1)
        {
            throw new RpcException(new Status(StatusCode.Internal, "The compression flag of a message must be 0 or 1."));
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
