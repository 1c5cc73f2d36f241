using System.Buffers;
using System.Text;
using Larder.Server.Calls;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Services;

/// <summary>
/// A control call's request: field 1, a string, and of one that creates a cache its quota. Read where it lies, so that a message of millions of
/// unknown fields takes no memory.
/// </summary>
internal static class NameRequest
{
    // Four bytes of UTF-8 a character: a longer name is none, whatever it says.
    private const int MaxBytes = 4 * CacheName.MaxCharacters;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    // CreateCacheRequest.max_bytes
    private const int MaxBytesField = 64;

    /// <summary>The name; empty where there is none, or one that is too long for any cache.</summary>
    /// <exception cref="RpcException">INVALID_ARGUMENT: the bytes are no such message.</exception>
    public static string Decode(in ReadOnlySequence<byte> request, RpcContext context) => Decode(request, context, out _);

    /// <summary>The name, and <paramref name="maxBytes"/>: the quota; 0 where there is none.</summary>
    /// <exception cref="RpcException">INVALID_ARGUMENT: the bytes are no such message.</exception>
    public static string Decode(in ReadOnlySequence<byte> request, RpcContext context, out ulong maxBytes)
    {
        ReadOnlySpan<byte> bytes = request.IsSingleSegment ? request.FirstSpan : request.ToArray();
        ReadOnlySpan<byte> name = default;
        maxBytes = 0;
        ProtoReader reader = new(bytes);
        while (reader.NextField())
        {
            bool isRead = (reader.Field, reader.WireType) switch
            {
                (1, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out name),
                (MaxBytesField, ProtoWireType.Varint) => reader.TryReadVarint(out maxBytes),
                _ => reader.TrySkip(),
            };
            if (!isRead)
            {
                break;
            }
        }

        if (reader.IsMalformed)
        {
            throw CallRouting.Failure(context, CallError.Malformed);
        }

        try
        {
            return name.Length <= MaxBytes ? Strict.GetString(name) : "";
        }
        catch (DecoderFallbackException)
        {
            throw CallRouting.Failure(context, CallError.Malformed);
        }
    }
}
