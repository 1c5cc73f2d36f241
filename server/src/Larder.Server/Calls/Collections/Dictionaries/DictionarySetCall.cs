using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>DictionarySet: stores fields and creates the dictionary if it is missing.</summary>
internal static class DictionarySetCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ElementsRequest fields = ElementsRequest.Decode(request, ElementShape.Fields);
        CallError? error = fields.CheckFields(target.Rules) ?? target.Rules.CheckTtl(fields.Third);

        // DictionarySetResponse has no fields, so nothing is written.
        return error ?? CollectionErrors.Of(target.Cache.DictionarySet(fields.Name, fields.Elements, fields.Ttl), target);
    }
}
