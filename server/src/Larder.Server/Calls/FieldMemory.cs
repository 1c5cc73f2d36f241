using System.Buffers;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Reads fields of a request that outlive an await: they point into the request, which is valid until its call ends.</summary>
internal static class FieldMemory
{
    /// <summary>Returns the request in one piece; one that arrived in one piece is not copied.</summary>
    public static ReadOnlyMemory<byte> Whole(in ReadOnlySequence<byte> request) => request.IsSingleSegment ? request.First : request.ToArray();

    /// <summary>Reads a length-delimited field.</summary>
    /// <param name="reader">Reads <paramref name="message"/>, and has read the field's tag.</param>
    /// <param name="message">The message.</param>
    /// <param name="field">The field's bytes in the message.</param>
    /// <returns>False if it is malformed.</returns>
    public static bool TryRead(scoped ref ProtoReader reader, ReadOnlyMemory<byte> message, out ReadOnlyMemory<byte> field)
    {
        bool isRead = reader.TryReadBytes(out ReadOnlySpan<byte> bytes);
        field = isRead ? message.Slice(reader.Position - bytes.Length, bytes.Length) : default;
        return isRead;
    }
}
