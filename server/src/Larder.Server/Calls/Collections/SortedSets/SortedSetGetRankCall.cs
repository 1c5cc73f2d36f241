using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SortedSetGetRank: returns the rank of an element, that is the number of elements before it in the requested order.</summary>
internal static class SortedSetGetRankCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (RankRequest.Decode(request, out RankRequest fields) is { } malformed)
        {
            return malformed;
        }

        CollectionOutcome outcome = target.Cache.SortedSetGetRank(fields.Name, fields.Element, fields.Order, out long? rank);
        CallError? error = CollectionErrors.Of(outcome, target);
        if (error is null && outcome == CollectionOutcome.Missing)
        {
            response.WriteEmptyArm(CollectionAnswer.Missing);
        }
        else if (error is null)
        {
            RankAnswer.Write(response, rank);
        }

        return error;
    }
}
