using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SetContains: returns, for each requested element in order, whether the set contains it.</summary>
internal static class SetContainsCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ElementsRequest elements = ElementsRequest.Decode(request, ElementShape.Names);
        CollectionAnswer<Presence> answer = new(target, response);
        if ((elements.Check(target.Rules) ?? answer.Check(elements.Count, LimitAdvice.OfSetContains)) is { } error)
        {
            return error;
        }

        ElementSink<Presence> sink = answer.BeginFor(elements.Count);
        CollectionOutcome outcome = target.Cache.SetContains(elements.Name, elements.Elements, ref sink);
        return answer.End(outcome, sink, LimitAdvice.OfSetContains);
    }
}
