using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SetUnion: adds elements and creates the set if it is missing.</summary>
internal static class SetUnionCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ElementsRequest elements = ElementsRequest.Decode(request, ElementShape.Names);
        CallError? error = elements.Check(target.Rules) ?? target.Rules.CheckTtl(elements.Third);

        // SetUnionResponse has no fields, so nothing is written.
        return error ?? CollectionErrors.Of(target.Cache.SetUnion(elements.Name, elements.Elements, elements.Ttl), target);
    }
}
