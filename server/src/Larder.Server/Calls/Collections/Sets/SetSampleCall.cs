using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SetSample: returns distinct random elements.</summary>
internal static class SetSampleCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (CountRequest.Decode(request, out CountRequest fields) is { } error)
        {
            return error;
        }

        CollectionAnswer<PlainElement> answer = new(target, response);
        ElementSink<PlainElement> sink;
        CollectionOutcome outcome;
        do
        {
            sink = answer.Begin();
            outcome = target.Cache.SetSample(fields.Name, fields.Count, answer.Limit, ref sink);
        }
        while (answer.Enlarge(outcome));
        return answer.End(outcome, sink, LimitAdvice.OfSetSample);
    }
}
