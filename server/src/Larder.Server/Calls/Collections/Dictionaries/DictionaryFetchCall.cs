using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>DictionaryFetch: returns all fields with their values.</summary>
internal static class DictionaryFetchCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> name) is { } error)
        {
            return error;
        }

        CollectionAnswer<FieldElement> answer = new(target, response);
        ElementSink<FieldElement> sink;
        CollectionOutcome outcome;
        do
        {
            sink = answer.Begin();
            outcome = target.Cache.DictionaryFetch(name, answer.Limit, ref sink);
        }
        while (answer.Enlarge(outcome));
        return answer.End(outcome, sink, LimitAdvice.OfDictionaryFetch);
    }
}
