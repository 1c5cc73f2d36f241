// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client.Operations;

/// <summary>The properties of each operation.</summary>
internal static class OperationTable
{
    /// <summary>Gets the number of operations: the highest <see cref="OperationInfo.Index"/> plus one.</summary>
    public const int Count = 66;

    public static OperationInfo Get { get; } = new(0, "get", "/cache_client.Scs/Get", pipelineField: 4, isIdempotent: true);
    public static OperationInfo Set { get; } = new(1, "set", "/cache_client.Scs/Set", pipelineField: 5, isIdempotent: true);
    public static OperationInfo Delete { get; } = new(2, "delete", "/cache_client.Scs/Delete", pipelineField: 6, isIdempotent: true);
    public static OperationInfo Increment { get; } = new(3, "increment", "/cache_client.Scs/Increment", pipelineField: 9, isIdempotent: false);
    public static OperationInfo ItemGetTtl { get; } = new(4, "itemGetTtl", "/cache_client.Scs/ItemGetTtl", pipelineField: 12, isIdempotent: true);
    public static OperationInfo ItemGetType { get; } = new(5, "itemGetType", "/cache_client.Scs/ItemGetType", pipelineField: 18, isIdempotent: true);
    public static OperationInfo GetWithHash { get; } = new(6, "getWithHash", "/cache_client.Scs/GetWithHash", pipelineField: 16, isIdempotent: true);
    public static OperationInfo UpdateTtl { get; } = new(7, "updateTtl", "/cache_client.Scs/UpdateTtl", pipelineField: 11, isIdempotent: false);
    public static OperationInfo UpdateTtlIfPrefix { get; } = new(
        8,
        "updateTtlIfPrefix",
        "/cache_client.Scs/UpdateTtlIfPrefix",
        pipelineField: 52,
        isIdempotent: true);
    public static OperationInfo SetIf { get; } = new(9, "setIf", "/cache_client.Scs/SetIf", pipelineField: 10, isIdempotent: false);
    public static OperationInfo SetIfHash { get; } = new(10, "setIfHash", "/cache_client.Scs/SetIfHash", pipelineField: 17, isIdempotent: false);
    public static OperationInfo KeysExist { get; } = new(11, "keysExist", "/cache_client.Scs/KeysExist", pipelineField: 8, isIdempotent: true);
    public static OperationInfo KeyExists { get; } = new(12, "keyExists", "/cache_client.Scs/KeysExist", pipelineField: 8, isIdempotent: true);
    public static OperationInfo GetBatch { get; } = new(13, "getBatch", "/cache_client.Scs/GetBatch", pipelineField: 14, isIdempotent: true);
    public static OperationInfo SetBatch { get; } = new(14, "setBatch", "/cache_client.Scs/SetBatch", pipelineField: 15, isIdempotent: true);
    public static OperationInfo DictionaryGet { get; } = new(15, "dictionaryGet", "/cache_client.Scs/DictionaryGet", pipelineField: 19, isIdempotent: true);
    public static OperationInfo DictionaryGetField { get; } = new(
        16,
        "dictionaryGetField",
        "/cache_client.Scs/DictionaryGet",
        pipelineField: 19,
        isIdempotent: true);
    public static OperationInfo DictionaryFetch { get; } = new(
        17,
        "dictionaryFetch",
        "/cache_client.Scs/DictionaryFetch",
        pipelineField: 20,
        isIdempotent: true);
    public static OperationInfo DictionarySet { get; } = new(18, "dictionarySet", "/cache_client.Scs/DictionarySet", pipelineField: 21, isIdempotent: true);
    public static OperationInfo DictionarySetField { get; } = new(
        19,
        "dictionarySetField",
        "/cache_client.Scs/DictionarySet",
        pipelineField: 21,
        isIdempotent: true);
    public static OperationInfo DictionaryIncrement { get; } = new(
        20,
        "dictionaryIncrement",
        "/cache_client.Scs/DictionaryIncrement",
        pipelineField: 22,
        isIdempotent: false);
    public static OperationInfo DictionaryDelete { get; } = new(
        21,
        "dictionaryDelete",
        "/cache_client.Scs/DictionaryDelete",
        pipelineField: 23,
        isIdempotent: true);
    public static OperationInfo DictionaryRemove { get; } = new(
        22,
        "dictionaryRemove",
        "/cache_client.Scs/DictionaryDelete",
        pipelineField: 23,
        isIdempotent: true);
    public static OperationInfo DictionaryLength { get; } = new(
        23,
        "dictionaryLength",
        "/cache_client.Scs/DictionaryLength",
        pipelineField: 24,
        isIdempotent: true);
    public static OperationInfo SetFetch { get; } = new(24, "setFetch", "/cache_client.Scs/SetFetch", pipelineField: 25, isIdempotent: true);
    public static OperationInfo SetSample { get; } = new(25, "setSample", "/cache_client.Scs/SetSample", pipelineField: 26, isIdempotent: true);
    public static OperationInfo SetUnion { get; } = new(26, "setUnion", "/cache_client.Scs/SetUnion", pipelineField: 27, isIdempotent: true);
    public static OperationInfo SetDifference { get; } = new(27, "setDifference", "/cache_client.Scs/SetDifference", pipelineField: 28, isIdempotent: true);
    public static OperationInfo SetDifferenceFrom { get; } = new(
        28,
        "setDifferenceFrom",
        "/cache_client.Scs/SetDifference",
        pipelineField: 28,
        isIdempotent: false);
    public static OperationInfo SetContains { get; } = new(29, "setContains", "/cache_client.Scs/SetContains", pipelineField: 29, isIdempotent: true);
    public static OperationInfo SetLength { get; } = new(30, "setLength", "/cache_client.Scs/SetLength", pipelineField: 30, isIdempotent: true);
    public static OperationInfo SetPop { get; } = new(31, "setPop", "/cache_client.Scs/SetPop", pipelineField: 31, isIdempotent: false);
    public static OperationInfo ListPushFront { get; } = new(32, "listPushFront", "/cache_client.Scs/ListPushFront", pipelineField: 32, isIdempotent: false);
    public static OperationInfo ListPushBack { get; } = new(33, "listPushBack", "/cache_client.Scs/ListPushBack", pipelineField: 33, isIdempotent: false);
    public static OperationInfo ListConcatenateFront { get; } = new(
        34,
        "listConcatenateFront",
        "/cache_client.Scs/ListConcatenateFront",
        pipelineField: 34,
        isIdempotent: false);
    public static OperationInfo ListConcatenateBack { get; } = new(
        35,
        "listConcatenateBack",
        "/cache_client.Scs/ListConcatenateBack",
        pipelineField: 35,
        isIdempotent: false);
    public static OperationInfo ListPopFront { get; } = new(36, "listPopFront", "/cache_client.Scs/ListPopFront", pipelineField: 36, isIdempotent: false);
    public static OperationInfo ListPopBack { get; } = new(37, "listPopBack", "/cache_client.Scs/ListPopBack", pipelineField: 37, isIdempotent: false);
    public static OperationInfo ListFetch { get; } = new(38, "listFetch", "/cache_client.Scs/ListFetch", pipelineField: 38, isIdempotent: true);
    public static OperationInfo ListRetain { get; } = new(39, "listRetain", "/cache_client.Scs/ListRetain", pipelineField: 39, isIdempotent: false);
    public static OperationInfo ListRemove { get; } = new(40, "listRemove", "/cache_client.Scs/ListRemove", pipelineField: 40, isIdempotent: true);
    public static OperationInfo ListErase { get; } = new(41, "listErase", "/cache_client.Scs/ListErase", pipelineField: 41, isIdempotent: false);
    public static OperationInfo ListLength { get; } = new(42, "listLength", "/cache_client.Scs/ListLength", pipelineField: 42, isIdempotent: true);
    public static OperationInfo SortedSetPut { get; } = new(43, "sortedSetPut", "/cache_client.Scs/SortedSetPut", pipelineField: 43, isIdempotent: true);
    public static OperationInfo SortedSetPutElement { get; } = new(
        44,
        "sortedSetPutElement",
        "/cache_client.Scs/SortedSetPut",
        pipelineField: 43,
        isIdempotent: true);
    public static OperationInfo SortedSetFetchByRank { get; } = new(
        45,
        "sortedSetFetchByRank",
        "/cache_client.Scs/SortedSetFetch",
        pipelineField: 44,
        isIdempotent: true);
    public static OperationInfo SortedSetFetchByScore { get; } = new(
        46,
        "sortedSetFetchByScore",
        "/cache_client.Scs/SortedSetFetch",
        pipelineField: 44,
        isIdempotent: true);
    public static OperationInfo SortedSetGetScore { get; } = new(
        47,
        "sortedSetGetScore",
        "/cache_client.Scs/SortedSetGetScore",
        pipelineField: 45,
        isIdempotent: true);
    public static OperationInfo SortedSetGetRank { get; } = new(
        48,
        "sortedSetGetRank",
        "/cache_client.Scs/SortedSetGetRank",
        pipelineField: 46,
        isIdempotent: true);
    public static OperationInfo SortedSetIncrement { get; } = new(
        49,
        "sortedSetIncrement",
        "/cache_client.Scs/SortedSetIncrement",
        pipelineField: 47,
        isIdempotent: false);
    public static OperationInfo SortedSetRemove { get; } = new(
        50,
        "sortedSetRemove",
        "/cache_client.Scs/SortedSetRemove",
        pipelineField: 48,
        isIdempotent: true);
    public static OperationInfo SortedSetLength { get; } = new(
        51,
        "sortedSetLength",
        "/cache_client.Scs/SortedSetLength",
        pipelineField: 49,
        isIdempotent: true);
    public static OperationInfo SortedSetLengthByScore { get; } = new(
        52,
        "sortedSetLengthByScore",
        "/cache_client.Scs/SortedSetLengthByScore",
        pipelineField: 50,
        isIdempotent: true);
    public static OperationInfo SortedSetUnionStore { get; } = new(
        53,
        "sortedSetUnionStore",
        "/cache_client.Scs/SortedSetUnionStore",
        pipelineField: 51,
        isIdempotent: false);
    public static OperationInfo CreateCache { get; } = new(54, "createCache", "/control_client.ScsControl/CreateCache", pipelineField: 0, isIdempotent: false);
    public static OperationInfo DeleteCache { get; } = new(55, "deleteCache", "/control_client.ScsControl/DeleteCache", pipelineField: 0, isIdempotent: false);
    public static OperationInfo FlushCache { get; } = new(56, "flushCache", "/control_client.ScsControl/FlushCache", pipelineField: 0, isIdempotent: false);
    public static OperationInfo ListCaches { get; } = new(57, "listCaches", "/control_client.ScsControl/ListCaches", pipelineField: 0, isIdempotent: true);
    public static OperationInfo Ping { get; } = new(58, "ping", "/cache_client.Ping/Ping", pipelineField: 0, isIdempotent: true);
    public static OperationInfo ScanKeys { get; } = new(59, "scanKeys", "/larder.v1.Extras/ScanKeys", pipelineField: 0, isIdempotent: true);
    public static OperationInfo ScanItems { get; } = new(60, "scanItems", "/larder.v1.Extras/ScanItems", pipelineField: 0, isIdempotent: true);
    public static OperationInfo GetOrLease { get; } = new(61, "getOrLease", "/larder.v1.Extras/GetOrLease", pipelineField: 0, isIdempotent: false);
    public static OperationInfo SetWithLease { get; } = new(62, "setWithLease", "/larder.v1.Extras/SetWithLease", pipelineField: 0, isIdempotent: false);
    public static OperationInfo ReleaseLease { get; } = new(63, "releaseLease", "/larder.v1.Extras/ReleaseLease", pipelineField: 0, isIdempotent: false);
    public static OperationInfo RemoveByTag { get; } = new(64, "removeByTag", "/larder.v1.Extras/RemoveByTag", pipelineField: 0, isIdempotent: true);
    public static OperationInfo Publish { get; } = new(65, "publish", "/cache_client.pubsub.Pubsub/Publish", pipelineField: 0, isIdempotent: false);
}
