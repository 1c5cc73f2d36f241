using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SortedSetGetScore: returns the score of each requested element, in order, or a miss.</summary>
internal static class SortedSetGetScoreCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ElementsRequest elements = ElementsRequest.Decode(request, ElementShape.Names);
        CollectionAnswer<ScorePart> answer = new(target, response);
        if ((elements.Check(target.Rules) ?? answer.Check(elements.Count, LimitAdvice.OfSortedSetGetScore)) is { } error)
        {
            return error;
        }

        ElementSink<ScorePart> sink = answer.BeginFor(elements.Count);
        CollectionOutcome outcome = target.Cache.SortedSetGetScores(elements.Name, elements.Elements, ref sink);
        return answer.End(outcome, sink, LimitAdvice.OfSortedSetGetScore);
    }
}
