using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>ListLength: returns the number of elements of a list.</summary>
internal static class ListLengthCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        KeyRequest.Decode(request, out ReadOnlySpan<byte> name)
        ?? CollectionAnswer.EndLength(target.Cache.ListLength(name, out long length), target, response, length);
}
