using System.Buffers;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// Reads those fields of a request that are used after an await. The returned fields refer to the request's memory, which is valid until the call ends.
/// </summary>
internal static class FieldMemory
{
    /// <summary>Returns the request as one contiguous block. The request is copied only if it consists of several segments.</summary>
    public static ReadOnlyMemory<byte> Whole(in ReadOnlySequence<byte> request) => request.IsSingleSegment ? request.First : request.ToArray();

    /// <summary>Reads a length-delimited field.</summary>
    /// <param name="reader">The reader of <paramref name="message"/>, positioned after the field's tag.</param>
    /// <param name="message">The message.</param>
    /// <param name="field">The field's bytes in the message.</param>
    /// <returns>False if the field is malformed.</returns>
    public static bool TryRead(scoped ref ProtoReader reader, ReadOnlyMemory<byte> message, out ReadOnlyMemory<byte> field)
    {
        bool isRead = reader.TryReadBytes(out ReadOnlySpan<byte> bytes);
        field = isRead ? message.Slice(reader.Position - bytes.Length, bytes.Length) : default;
        return isRead;
    }
}
