using System.Buffers;
using System.Text;
using Larder.Server.Calls;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Services;

/// <summary>
/// A control call's request: field 1, a string. Read where it lies, so that a message of millions of unknown fields takes no memory.
/// </summary>
internal static class NameRequest
{
    // Four bytes of UTF-8 a character: a longer name is none, whatever it says.
    private const int MaxBytes = 4 * CacheName.MaxCharacters;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The name; empty where there is none, or one that is too long for any cache.</summary>
    /// <exception cref="RpcException">INVALID_ARGUMENT: the bytes are no such message.</exception>
    public static string Decode(in ReadOnlySequence<byte> request, RpcContext context)
    {
        ReadOnlySpan<byte> bytes = request.IsSingleSegment ? request.FirstSpan : request.ToArray();
        ReadOnlySpan<byte> name = default;
        ProtoReader reader = new(bytes);
        while (reader.NextField())
        {
            if (!(reader.Is(1, ProtoWireType.LengthDelimited) ? reader.TryReadBytes(out name) : reader.TrySkip()))
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
