using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SortedSetFetch: returns the elements of a range by index or by score, in the requested order, with or without scores.</summary>
internal static class SortedSetFetchCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        SortedSetFields.Decode(request, out SortedSetFields fields)
        ?? (fields.WithScores ? Answer<ScoredElement>(target, fields, response) : Answer<ScorelessElement>(target, fields, response));

    private static CallError? Answer<TElement>(CallTarget target, scoped in SortedSetFields fields, IBufferWriter<byte> response)
        where TElement : struct, IElementFormat
    {
        CollectionAnswer<TElement> answer = new(target, response);
        ElementSink<TElement> sink;
        CollectionOutcome outcome;
        do
        {
            sink = answer.Begin();
            outcome = fields.IsByScore
                ? target.Cache.SortedSetFetchByScore(fields.Name, fields.Scores, fields.Offset, fields.Count, fields.Order, answer.Limit, ref sink)
                : target.Cache.SortedSetFetchByIndex(fields.Name, fields.Slice, fields.Order, answer.Limit, ref sink);
        }
        while (answer.Enlarge(outcome));
        return answer.End(outcome, sink, LimitAdvice.OfSortedSetFetch);
    }
}
