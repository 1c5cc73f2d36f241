using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SetFetch: returns all elements.</summary>
internal static class SetFetchCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> name) is { } error)
        {
            return error;
        }

        CollectionAnswer<PlainElement> answer = new(target, response);
        ElementSink<PlainElement> sink;
        CollectionOutcome outcome;
        do
        {
            sink = answer.Begin();
            outcome = target.Cache.SetFetch(name, answer.Limit, ref sink);
        }
        while (answer.Enlarge(outcome));
        return answer.End(outcome, sink, LimitAdvice.OfSetFetch);
    }
}
