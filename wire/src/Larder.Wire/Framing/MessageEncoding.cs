using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using System.IO.Pipelines;

namespace Larder.Wire;

/// <summary>The encodings of messages that Larder reads: identity, and gzip inflated under a bound.</summary>
internal static class MessageEncoding
{
    public const string Identity = "identity";
    public const string Gzip = "gzip";

    /// <summary>The value of <c>grpc-accept-encoding</c>.</summary>
    public const string Accepted = "identity,gzip";

    // Inflated in steps of this many bytes, so that a small message that inflates a thousandfold is met with a small buffer.
    private const int StepBytes = 16 * 1024;

    /// <summary>True for the encodings that can be read; a missing one is identity.</summary>
    public static bool IsKnown(string? encoding) => encoding is null or "" or Identity or Gzip;

    /// <summary>Checks the encoding that an answer with a compressed message names.</summary>
    /// <exception cref="RpcException">It is not gzip.</exception>
    public static void CheckGzip(string? encoding)
    {
        if (encoding != Gzip)
        {
            throw new RpcException(new Status(StatusCode.Internal, $"The answer is compressed with '{encoding}', which was not asked for."));
        }
    }

    /// <summary>Inflates <paramref name="compressed"/> into a pooled buffer, which the caller disposes.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED past <paramref name="limitBytes"/>, or where <paramref name="account"/> may hold no more; INTERNAL
    /// where the bytes are no gzip.</exception>
    public static PooledBuffer Inflate(in ReadOnlySequence<byte> compressed, int limitBytes, BufferAccount? account = null)
    {
        PooledBuffer inflated = new(StepBytes, account);
        try
        {
            using Stream source = PipeReader.Create(compressed).AsStream();
            using GZipStream gzip = new(source, CompressionMode.Decompress);
            inflated.GetSpan(SizeSaid(compressed, limitBytes));
            CopyBounded(gzip, inflated, limitBytes);
            return inflated;
        }
        catch (InvalidDataException error)
        {
            inflated.Dispose();
            throw new RpcException(new Status(StatusCode.Internal, "The message is no gzip."), notProcessed: false, error);
        }
        catch
        {
            inflated.Dispose();
            throw;
        }
    }

    /// <summary>
    /// The size that the end of the bytes says they inflate to, so that one array is taken instead of a row of growing ones; a step where it
    /// cannot be so. Only a hint: who lies gets what the real size would have.
    /// </summary>
    private static int SizeSaid(in ReadOnlySequence<byte> compressed, int limitBytes)
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
