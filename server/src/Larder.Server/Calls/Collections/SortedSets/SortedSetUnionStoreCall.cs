using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>
/// SortedSetUnionStore: replaces a sorted set with the weighted union of other sorted sets. Fields: 2 the sources, 3 the aggregate, 4 the TTL.
/// </summary>
internal static class SortedSetUnionStoreCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ElementsRequest sources = ElementsRequest.Decode(request, ElementShape.Weighted);
        if (Check(sources, target.Rules) is { } refused)
        {
            return refused;
        }

        ScoreAggregate aggregate = (ScoreAggregate)sources.Third;
        CollectionOutcome outcome = target.Cache.SortedSetUnionStore(sources.Name, sources.Elements, aggregate, (long)sources.Fourth, out long length);
        CallError? error = CollectionErrors.Of(outcome, target);
        if (error is null)
        {
            response.WriteVarint(1, CollectionAnswer.ToUInt32(length));
        }

        return error;
    }

    /// <summary>Checks the request. Returns null on success.</summary>
    public static CallError? Check(scoped in ElementsRequest sources, CallRules rules) => sources.Check(rules)
        ?? (sources.HasEmptyName ? CallError.EmptyKey : null)
        ?? (sources.Count == 0 ? CollectionErrors.NoSource : null)
        ?? (sources.Third > (ulong)ScoreAggregate.Max ? CollectionErrors.UnknownAggregate : null)
        ?? rules.CheckTtl(sources.Fourth);
}
