using System.Buffers;
using System.Text;
using Larder.Server.Calls;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Services;

/// <summary>
/// Decodes the request of a control call: the name (field 1) and, for CreateCache, the quota. The request is parsed without copying it, so that a message with
/// millions of unknown fields takes no additional memory.
/// </summary>
internal static class NameRequest
{
    // A character has at most 4 bytes in UTF-8, so a name with more bytes is invalid.
    private const int MaxBytes = 4 * CacheName.MaxCharacters;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    // The field CreateCacheRequest.max_bytes.
    private const int MaxBytesField = 64;

    /// <summary>Returns the name. The result is empty if the name is missing or too long for a cache name.</summary>
    /// <exception cref="RpcException">INVALID_ARGUMENT: the message is malformed.</exception>
    public static string Decode(in ReadOnlySequence<byte> request, RpcContext context) => Decode(request, context, out _);

    /// <summary>Returns the name. Also returns the quota in <paramref name="maxBytes"/>, which is 0 if the quota is missing.</summary>
    /// <exception cref="RpcException">INVALID_ARGUMENT: the message is malformed.</exception>
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
