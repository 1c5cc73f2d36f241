// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Server.Calls;

/// <summary>Every data call.</summary>
internal static class CacheCalls
{
    /// <summary>The calls that answer with one message over either transport.</summary>
    public static readonly IReadOnlyList<CacheCall> Single =
    [
        new("Get", "get", 4, GetCall.Run),
        new("Set", "set", 5, SetCall.Run),
        new("Delete", "delete", 6, DeleteCall.Run),
        new("KeysExist", "keys-exist", 8, KeysExistCall.Run),
        new("Increment", "increment", 9, IncrementCall.Run),
        new("SetIf", "set-if", 10, SetIfCall.Run),
        new("UpdateTtl", "update-ttl", 11, UpdateTtlCall.Run),
        new("ItemGetTtl", "item-get-ttl", 12, ItemGetTtlCall.Run),
        new("SetIfNotExists", "set-if-not-exists", 13, SetIfNotExistsCall.Run),
        new("GetWithHash", "get-with-hash", 16, GetWithHashCall.Run),
        new("SetIfHash", "set-if-hash", 17, SetIfHashCall.Run),
        new("ItemGetType", "item-get-type", 18, ItemGetTypeCall.Run),
        new("DictionaryGet", "dictionary-get", 19, DictionaryGetCall.Run),
        new("DictionaryFetch", "dictionary-fetch", 20, DictionaryFetchCall.Run),
        new("DictionarySet", "dictionary-set", 21, DictionarySetCall.Run),
        new("DictionaryIncrement", "dictionary-increment", 22, DictionaryIncrementCall.Run),
        new("DictionaryDelete", "dictionary-delete", 23, DictionaryDeleteCall.Run),
        new("DictionaryLength", "dictionary-length", 24, DictionaryLengthCall.Run),
        new("SetFetch", "set-fetch", 25, SetFetchCall.Run),
        new("SetSample", "set-sample", 26, SetSampleCall.Run),
        new("SetUnion", "set-union", 27, SetUnionCall.Run),
        new("SetDifference", "set-difference", 28, SetDifferenceCall.Run),
        new("SetContains", "set-contains", 29, SetContainsCall.Run),
        new("SetLength", "set-length", 30, SetLengthCall.Run),
        new("SetPop", "set-pop", 31, SetPopCall.Run),
        new("ListPushFront", "list-push-front", 32, ListPushFrontCall.Run),
        new("ListPushBack", "list-push-back", 33, ListPushBackCall.Run),
        new("ListConcatenateFront", "list-concatenate-front", 34, ListConcatenateFrontCall.Run),
        new("ListConcatenateBack", "list-concatenate-back", 35, ListConcatenateBackCall.Run),
        new("ListPopFront", "list-pop-front", 36, ListPopFrontCall.Run),
        new("ListPopBack", "list-pop-back", 37, ListPopBackCall.Run),
        new("ListFetch", "list-fetch", 38, ListFetchCall.Run),
        new("ListRetain", "list-retain", 39, ListRetainCall.Run),
        new("ListRemove", "list-remove", 40, ListRemoveCall.Run),
        new("ListErase", "list-erase", 41, ListEraseCall.Run),
        new("ListLength", "list-length", 42, ListLengthCall.Run),
        new("SortedSetPut", "sorted-set-put", 43, SortedSetPutCall.Run),
        new("SortedSetFetch", "sorted-set-fetch", 44, SortedSetFetchCall.Run),
        new("SortedSetGetScore", "sorted-set-get-score", 45, SortedSetGetScoreCall.Run),
        new("SortedSetGetRank", "sorted-set-get-rank", 46, SortedSetGetRankCall.Run),
        new("SortedSetIncrement", "sorted-set-increment", 47, SortedSetIncrementCall.Run),
        new("SortedSetRemove", "sorted-set-remove", 48, SortedSetRemoveCall.Run),
        new("SortedSetLength", "sorted-set-length", 49, SortedSetLengthCall.Run),
        new("SortedSetLengthByScore", "sorted-set-length-by-score", 50, SortedSetLengthByScoreCall.Run),
        new("SortedSetUnionStore", "sorted-set-union-store", 51, SortedSetUnionStoreCall.Run),
    ];

    /// <summary>The calls that answer with one message in a pipeline and with a stream over unary.</summary>
    public static readonly IReadOnlyList<CacheCall> Batches =
    [
        new("GetBatch", "get-batch", 14, GetBatchCall.Run),
        new("SetBatch", "set-batch", 15, SetBatchCall.Run),
    ];
}
