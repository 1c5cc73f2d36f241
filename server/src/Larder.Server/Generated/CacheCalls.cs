// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Server.Calls;

/// <summary>All data calls.</summary>
internal static class CacheCalls
{
    /// <summary>The calls that return one message on either transport.</summary>
    public static readonly IReadOnlyList<CacheCall> Single =
    [
        new("Get", "get", 4, CostKind.Value, GetCall.Run),
        new("Set", "set", 5, CostKind.Bytes, SetCall.Run),
        new("Delete", "delete", 6, CostKind.Constant, DeleteCall.Run),
        new("KeysExist", "keys-exist", 8, CostKind.Elements, KeysExistCall.Run, HasList: true),
        new("Increment", "increment", 9, CostKind.Constant, IncrementCall.Run),
        new("SetIf", "set-if", 10, CostKind.Bytes, SetIfCall.Run),
        new("UpdateTtl", "update-ttl", 11, CostKind.Constant, UpdateTtlCall.Run),
        new("ItemGetTtl", "item-get-ttl", 12, CostKind.Constant, ItemGetTtlCall.Run),
        new("SetIfNotExists", "set-if-not-exists", 13, CostKind.Bytes, SetIfNotExistsCall.Run),
        new("GetWithHash", "get-with-hash", 16, CostKind.Value, GetWithHashCall.Run),
        new("SetIfHash", "set-if-hash", 17, CostKind.Value, SetIfHashCall.Run),
        new("ItemGetType", "item-get-type", 18, CostKind.Constant, ItemGetTypeCall.Run),
        new("DictionaryGet", "dictionary-get", 19, CostKind.Elements, DictionaryGetCall.Run, HasList: true),
        new("DictionaryFetch", "dictionary-fetch", 20, CostKind.Collection, DictionaryFetchCall.Run),
        new("DictionarySet", "dictionary-set", 21, CostKind.Elements, DictionarySetCall.Run, HasList: true),
        new("DictionaryIncrement", "dictionary-increment", 22, CostKind.Constant, DictionaryIncrementCall.Run),
        new("DictionaryDelete", "dictionary-delete", 23, CostKind.Elements, DictionaryDeleteCall.Run, HasList: true),
        new("DictionaryLength", "dictionary-length", 24, CostKind.Constant, DictionaryLengthCall.Run),
        new("SetFetch", "set-fetch", 25, CostKind.Collection, SetFetchCall.Run),
        new("SetSample", "set-sample", 26, CostKind.Collection, SetSampleCall.Run),
        new("SetUnion", "set-union", 27, CostKind.Elements, SetUnionCall.Run, HasList: true),
        new("SetDifference", "set-difference", 28, CostKind.Elements, SetDifferenceCall.Run, HasList: true),
        new("SetContains", "set-contains", 29, CostKind.Elements, SetContainsCall.Run, HasList: true),
        new("SetLength", "set-length", 30, CostKind.Constant, SetLengthCall.Run),
        new("SetPop", "set-pop", 31, CostKind.Collection, SetPopCall.Run),
        new("ListPushFront", "list-push-front", 32, CostKind.Elements, ListPushFrontCall.Run),
        new("ListPushBack", "list-push-back", 33, CostKind.Elements, ListPushBackCall.Run),
        new("ListConcatenateFront", "list-concatenate-front", 34, CostKind.Elements, ListConcatenateFrontCall.Run, HasList: true),
        new("ListConcatenateBack", "list-concatenate-back", 35, CostKind.Elements, ListConcatenateBackCall.Run, HasList: true),
        new("ListPopFront", "list-pop-front", 36, CostKind.Constant, ListPopFrontCall.Run),
        new("ListPopBack", "list-pop-back", 37, CostKind.Constant, ListPopBackCall.Run),
        new("ListFetch", "list-fetch", 38, CostKind.Collection, ListFetchCall.Run),
        new("ListRetain", "list-retain", 39, CostKind.Collection, ListRetainCall.Run),
        new("ListRemove", "list-remove", 40, CostKind.Collection, ListRemoveCall.Run),
        new("ListErase", "list-erase", 41, CostKind.Collection, ListEraseCall.Run, HasList: true),
        new("ListLength", "list-length", 42, CostKind.Constant, ListLengthCall.Run),
        new("SortedSetPut", "sorted-set-put", 43, CostKind.Elements, SortedSetPutCall.Run, HasList: true),
        new("SortedSetFetch", "sorted-set-fetch", 44, CostKind.Collection, SortedSetFetchCall.Run),
        new("SortedSetGetScore", "sorted-set-get-score", 45, CostKind.Elements, SortedSetGetScoreCall.Run, HasList: true),
        new("SortedSetGetRank", "sorted-set-get-rank", 46, CostKind.Constant, SortedSetGetRankCall.Run),
        new("SortedSetIncrement", "sorted-set-increment", 47, CostKind.Constant, SortedSetIncrementCall.Run),
        new("SortedSetRemove", "sorted-set-remove", 48, CostKind.Elements, SortedSetRemoveCall.Run, HasList: true),
        new("SortedSetLength", "sorted-set-length", 49, CostKind.Constant, SortedSetLengthCall.Run),
        new("SortedSetLengthByScore", "sorted-set-length-by-score", 50, CostKind.Constant, SortedSetLengthByScoreCall.Run),
        new("SortedSetUnionStore", "sorted-set-union-store", 51, CostKind.Sources, SortedSetUnionStoreCall.Run, HasList: true),
        new("UpdateTtlIfPrefix", "update-ttl-if-prefix", 52, CostKind.Constant, UpdateTtlIfPrefixCall.Run),
    ];

    /// <summary>The calls that return one message on a pipeline and a stream on unary.</summary>
    public static readonly IReadOnlyList<CacheCall> Batches =
    [
        new("GetBatch", "get-batch", 14, CostKind.Elements, GetBatchCall.Run, HasList: true),
        new("SetBatch", "set-batch", 15, CostKind.Elements, SetBatchCall.Run, HasList: true),
    ];
}
