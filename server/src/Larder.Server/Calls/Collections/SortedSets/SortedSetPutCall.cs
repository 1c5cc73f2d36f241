using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SortedSetPut: adds elements or changes their scores, and creates the sorted set if it is missing.</summary>
internal static class SortedSetPutCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ElementsRequest elements = ElementsRequest.Decode(request, ElementShape.Scored);
        CallError? error = elements.Check(target.Rules) ?? target.Rules.CheckTtl(elements.Third);

        // SortedSetPutResponse has no fields, so nothing is written.
        return error ?? CollectionErrors.Of(target.Cache.SortedSetPut(elements.Name, elements.Elements, elements.Ttl), target);
    }
}
