using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>
/// The common part of the calls that add elements to a list. Field 2 of the request contains the elements, and fields 3 and 4 contain the TTL. Field 5 is the
/// maximum length of the list. If a push at one end makes the list longer than this, elements are removed from the opposite end.
/// </summary>
internal static class ListPush
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response, ListEnd end, ElementShape shape)
    {
        using ElementsRequest elements = ElementsRequest.Decode(request, shape);
        CallError? error = elements.Check(target.Rules) ?? target.Rules.CheckTtl(elements.Third);
        if (error is not null)
        {
            return error;
        }

        CollectionOutcome outcome;
        long length;
        if (shape == ElementShape.Names && elements.Count == 0)
        {
            outcome = target.Cache.ListLength(elements.Name, out length);
        }
        else
        {
            outcome = target.Cache.ListPush(elements.Name, elements.ElementsOrEmpty, end, elements.Fifth, elements.Ttl, out length);
        }

        error = CollectionErrors.Of(outcome, target);
        if (error is null)
        {
            response.WriteVarint(1, CollectionAnswer.ToUInt32(length));
        }

        return error;
    }
}
