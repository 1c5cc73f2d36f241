// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>The implementation of each data call in a gateway, by the name of the call.</summary>
internal static class RemoteCallTable
{
    public static readonly IReadOnlyDictionary<string, RemoteCall> ByName =
        new Dictionary<string, RemoteCall>(StringComparer.Ordinal)
        {
            ["Get"] = new RemoteGet(),
            ["Set"] = new RemoteSet(),
            ["Delete"] = new RemoteDelete(),
            ["KeysExist"] = new RemoteKeysExist(),
            ["Increment"] = new RemoteIncrement(),
            ["SetIf"] = new RemoteSetIf(),
            ["UpdateTtl"] = new RemoteUpdateTtl(),
            ["ItemGetTtl"] = new RemoteItemGetTtl(),
            ["SetIfNotExists"] = new RemoteSetIfNotExists(),
            ["GetBatch"] = new RemoteGetBatch(),
            ["SetBatch"] = new RemoteSetBatch(),
            ["GetWithHash"] = new RemoteGetWithHash(),
            ["SetIfHash"] = new RemoteSetIfHash(),
            ["ItemGetType"] = new RemoteItemGetType(),
            ["DictionaryGet"] = new RemoteLookUp<ValueReply, FieldPart>(
                "HLEN", "HMGET", FleetLimits.ElementsUnmeasured, LimitAdvice.OfDictionaryGet, areFields: true),
            ["DictionaryFetch"] = new RemoteCollectionFetch<FieldReply, FieldElement>("HLEN", "HGETALL", "HSCAN", LimitAdvice.OfDictionaryFetch),
            ["DictionarySet"] = new RemoteDictionarySet(),
            ["DictionaryIncrement"] = new RemoteDictionaryIncrement(),
            ["DictionaryDelete"] = new RemoteRemove(DictionaryDeleteCall.All, "hash", "HDEL", "HLEN", allowsEmptyElement: false),
            ["DictionaryLength"] = new RemoteLength("HLEN"),
            ["SetFetch"] = new RemoteCollectionFetch<PlainReply, PlainElement>("SCARD", "SMEMBERS", "SSCAN", LimitAdvice.OfSetFetch),
            ["SetSample"] = new RemoteSetSample(),
            ["SetUnion"] = new RemoteSetUnion(),
            ["SetDifference"] = new RemoteSetDifference(),
            ["SetContains"] = new RemoteLookUp<PresenceReply, Presence>("SCARD", "SMISMEMBER", FleetLimits.ElementsPerStep, LimitAdvice.OfSetContains),
            ["SetLength"] = new RemoteLength("SCARD"),
            ["SetPop"] = new RemoteSetPop(),
            ["ListPushFront"] = new RemoteListPush(ListEnd.Front, ElementShape.OneName),
            ["ListPushBack"] = new RemoteListPush(ListEnd.Back, ElementShape.OneName),
            ["ListConcatenateFront"] = new RemoteListPush(ListEnd.Front, ElementShape.Names),
            ["ListConcatenateBack"] = new RemoteListPush(ListEnd.Back, ElementShape.Names),
            ["ListPopFront"] = new RemoteListPop(ListEnd.Front),
            ["ListPopBack"] = new RemoteListPop(ListEnd.Back),
            ["ListFetch"] = new RemoteListFetch(),
            ["ListRetain"] = new RemoteListRetain(),
            ["ListRemove"] = new RemoteListRemove(),
            ["ListErase"] = new RemoteListErase(),
            ["ListLength"] = new RemoteLength("LLEN"),
            ["SortedSetPut"] = new RemoteSortedSetPut(),
            ["SortedSetFetch"] = new RemoteSortedSetFetch(),
            ["SortedSetGetScore"] = new RemoteLookUp<ScoreReply, ScorePart>("ZCARD", "ZMSCORE", FleetLimits.ElementsPerStep, LimitAdvice.OfSortedSetGetScore),
            ["SortedSetGetRank"] = new RemoteSortedSetGetRank(),
            ["SortedSetIncrement"] = new RemoteSortedSetIncrement(),
            ["SortedSetRemove"] = new RemoteRemove(SortedSetRemoveCall.All, "zset", "ZREM", "ZCARD"),
            ["SortedSetLength"] = new RemoteLength("ZCARD"),
            ["SortedSetLengthByScore"] = new RemoteSortedSetLengthByScore(),
            ["SortedSetUnionStore"] = new RemoteSortedSetUnionStore(),
            ["UpdateTtlIfPrefix"] = new RemoteUpdateTtlIfPrefix(),
        };
}
