using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListFetch: returns the elements of a slice, in order.</summary>
internal static class ListFetchCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (SliceRequest.Decode(request, out SliceRequest fields) is { } error)
        {
            return error;
        }

        CollectionAnswer<PlainElement> answer = new(target, response);
        ElementSink<PlainElement> sink;
        CollectionOutcome outcome;
        do
        {
            sink = answer.Begin();
            outcome = target.Cache.ListFetch(fields.Name, fields.Slice, answer.Limit, ref sink);
        }
        while (answer.Enlarge(outcome));
        return answer.End(outcome, sink, LimitAdvice.OfListFetch);
    }
}
