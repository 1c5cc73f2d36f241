using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SetPop: removes and returns random elements.</summary>
internal static class SetPopCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = CountRequest.Decode(request, out CountRequest fields) ?? ((uint)fields.Count == 0 ? CollectionErrors.NothingPopped : null);
        if (error is not null)
        {
            return error;
        }

        CollectionAnswer<PlainElement> answer = new(target, response);
        ElementSink<PlainElement> sink;
        CollectionOutcome outcome;
        do
        {
            sink = answer.Begin();
            outcome = target.Cache.SetPop(fields.Name, (uint)fields.Count, answer.Limit, ref sink);
        }
        while (answer.Enlarge(outcome));
        return answer.End(outcome, sink, LimitAdvice.OfSetPop);
    }
}
