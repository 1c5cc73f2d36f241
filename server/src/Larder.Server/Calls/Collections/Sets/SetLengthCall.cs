using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>SetLength: returns the number of elements of a set.</summary>
internal static class SetLengthCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        KeyRequest.Decode(request, out ReadOnlySpan<byte> name)
        ?? CollectionAnswer.EndLength(target.Cache.SetLength(name, out long length), target, response, length);
}
