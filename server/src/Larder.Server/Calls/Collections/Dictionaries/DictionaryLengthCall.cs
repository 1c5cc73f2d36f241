using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>DictionaryLength: returns the number of fields.</summary>
internal static class DictionaryLengthCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        KeyRequest.Decode(request, out ReadOnlySpan<byte> name)
        ?? CollectionAnswer.EndLength(target.Cache.DictionaryLength(name, out long length), target, response, length);
}
