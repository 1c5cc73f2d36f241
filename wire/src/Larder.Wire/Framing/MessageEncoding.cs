using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using System.IO.Pipelines;

namespace Larder.Wire;

/// <summary>The message encodings that Larder reads: identity, and gzip with a limit on the decompressed size.</summary>
internal static class MessageEncoding
{
    public const string Identity = "identity";
    public const string Gzip = "gzip";

    /// <summary>The value of <c>grpc-accept-encoding</c>.</summary>
    public const string Accepted = "identity,gzip";

    // Data is decompressed in steps of this many bytes, so that a small message that expands a thousandfold does not allocate a large buffer in one step.
    private const int StepBytes = 16 * 1024;

    /// <summary>Returns true if the encoding is supported. A missing encoding means identity.</summary>
    public static bool IsKnown(string? encoding) => encoding is null or "" or Identity or Gzip;

    /// <summary>Checks the encoding that a response with a compressed message declares.</summary>
    /// <exception cref="RpcException">The encoding is not gzip.</exception>
    public static void CheckGzip(string? encoding)
    {
        if (encoding != Gzip)
        {
            throw new RpcException(new Status(StatusCode.Internal, $"The response uses encoding '{encoding}', which the client did not offer."));
        }
    }

    /// <summary>Decompresses <paramref name="compressed"/> into a pooled buffer. The caller must dispose the buffer.</summary>
    /// <exception cref="RpcException">
    /// RESOURCE_EXHAUSTED if the result exceeds <paramref name="limitBytes"/> or <paramref name="account"/> has not enough memory. INTERNAL if the bytes are
    /// not valid gzip.
    /// </exception>
    public static PooledBuffer Inflate(in ReadOnlySequence<byte> compressed, int limitBytes, BufferAccount? account = null)
    {
        PooledBuffer inflated = new(StepBytes, account);
        try
        {
            using Stream source = PipeReader.Create(compressed).AsStream();
            using GZipStream gzip = new(source, CompressionMode.Decompress);
            inflated.GetSpan(AnnouncedSize(compressed, limitBytes));
            CopyBounded(gzip, inflated, limitBytes);
            return inflated;
        }
        catch (InvalidDataException error)
        {
            inflated.Dispose();
            throw new RpcException(new Status(StatusCode.Internal, "Invalid gzip payload."), notProcessed: false, error);
        }
        catch
        {
            inflated.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Returns the initial size of the buffer for the decompressed message. This is the size declared in the gzip trailer plus one step, so that the buffer
    /// need not grow repeatedly. If the declared size is missing or exceeds the limit, it is one step. A wrong declared size does not affect the result.
    /// </summary>
    private static int AnnouncedSize(in ReadOnlySequence<byte> compressed, int limitBytes)
    {
        Span<byte> end = stackalloc byte[sizeof(uint)];
        if (compressed.Length < end.Length)
        {
            return StepBytes;
        }

        compressed.Slice(compressed.Length - end.Length).CopyTo(end);
        uint said = BinaryPrimitives.ReadUInt32LittleEndian(end);
        return said > (uint)limitBytes ? StepBytes : (int)said + StepBytes;
    }

    private static void CopyBounded(GZipStream gzip, PooledBuffer inflated, int limitBytes)
    {
        int read;
        while ((read = gzip.Read(inflated.GetSpan(StepBytes)[..StepBytes])) > 0)
        {
            inflated.Advance(read);
            if (inflated.Written > limitBytes)
            {
                throw new RpcException(MessageLimit.Exceeded(limitBytes));
            }
        }
    }
}
