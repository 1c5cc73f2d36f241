using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>SortedSetLength: returns the number of elements of a sorted set.</summary>
internal static class SortedSetLengthCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        KeyRequest.Decode(request, out ReadOnlySpan<byte> name)
        ?? CollectionAnswer.EndLength(target.Cache.SortedSetLength(name, out long length), target, response, length);
}
