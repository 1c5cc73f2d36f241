// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Server.Fleet;

/// <summary>What a front does of each data call, by the call's name.</summary>
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
            ["DictionaryGet"] = new RemoteDictionaryGet(),
            ["DictionaryFetch"] = new RemoteDictionaryFetch(),
            ["DictionarySet"] = new RemoteDictionarySet(),
            ["DictionaryIncrement"] = new RemoteDictionaryIncrement(),
            ["DictionaryDelete"] = new RemoteDictionaryDelete(),
            ["DictionaryLength"] = new RemoteDictionaryLength(),
            ["SetFetch"] = new RemoteSetFetch(),
            ["SetSample"] = new RemoteSetSample(),
            ["SetUnion"] = new RemoteSetUnion(),
            ["SetDifference"] = new RemoteSetDifference(),
            ["SetContains"] = new RemoteSetContains(),
            ["SetLength"] = new RemoteSetLength(),
            ["SetPop"] = new RemoteSetPop(),
            ["ListPushFront"] = new RemoteListPushFront(),
            ["ListPushBack"] = new RemoteListPushBack(),
            ["ListConcatenateFront"] = new RemoteListConcatenateFront(),
            ["ListConcatenateBack"] = new RemoteListConcatenateBack(),
            ["ListPopFront"] = new RemoteListPopFront(),
            ["ListPopBack"] = new RemoteListPopBack(),
            ["ListFetch"] = new RemoteListFetch(),
            ["ListRetain"] = new RemoteListRetain(),
            ["ListRemove"] = new RemoteListRemove(),
            ["ListErase"] = new RemoteListErase(),
            ["ListLength"] = new RemoteListLength(),
            ["SortedSetPut"] = new RemoteSortedSetPut(),
            ["SortedSetFetch"] = new RemoteSortedSetFetch(),
            ["SortedSetGetScore"] = new RemoteSortedSetGetScore(),
            ["SortedSetGetRank"] = new RemoteSortedSetGetRank(),
            ["SortedSetIncrement"] = new RemoteSortedSetIncrement(),
            ["SortedSetRemove"] = new RemoteSortedSetRemove(),
            ["SortedSetLength"] = new RemoteSortedSetLength(),
            ["SortedSetLengthByScore"] = new RemoteSortedSetLengthByScore(),
            ["SortedSetUnionStore"] = new RemoteSortedSetUnionStore(),
            ["UpdateTtlIfPrefix"] = new RemoteUpdateTtlIfPrefix(),
        };
}
