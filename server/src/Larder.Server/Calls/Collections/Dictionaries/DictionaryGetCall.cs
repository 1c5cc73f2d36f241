using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>DictionaryGet: returns the value of each requested field, in order, or a miss.</summary>
internal static class DictionaryGetCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ElementsRequest fields = ElementsRequest.Decode(request, ElementShape.Names);
        if (fields.CheckFields(target.Rules) is { } error)
        {
            return error;
        }

        CollectionAnswer<FieldPart> answer = new(target, response);
        ElementSink<FieldPart> sink;
        CollectionOutcome outcome;
        do
        {
            sink = answer.Begin();
            outcome = target.Cache.DictionaryGet(fields.Name, fields.Elements, answer.Limit, ref sink);
        }
        while (answer.Enlarge(outcome));
        return answer.End(outcome, sink, LimitAdvice.OfDictionaryGet);
    }
}
