using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>The common part of the calls that remove an element from one end of a list.</summary>
internal static class ListPop
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response, ListEnd end)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> name) is { } error)
        {
            return error;
        }

        CollectionAnswer<PlainElement> answer = new(target, response);
        ElementSink<PlainElement> sink;
        CollectionOutcome outcome;
        long length;
        do
        {
            sink = answer.Begin();
            outcome = target.Cache.ListPop(name, end, answer.Limit, ref sink, out length);
        }
        while (answer.Enlarge(outcome));
        return answer.End(outcome, sink, "", length);
    }
}
