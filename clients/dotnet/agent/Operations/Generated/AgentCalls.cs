// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>The operations of <c>conformance/AGENT.md</c> that are one call of the client each.</summary>
internal static partial class AgentCalls
{
    /// <summary>Does one operation; null where it is none of these.</summary>
    /// <exception cref="AgentException">A field is missing.</exception>
    public static async Task<JsonObject?> ExecuteAsync(CacheClient client, string op, string cache, JsonElement line, CancellationToken stop) => op switch
    {
        "get" => AgentAnswer.Of(await client.GetAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "set" => AgentAnswer.Of(await client.SetAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "delete" => Of(await client.DeleteAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "increment" => Of(
            await client.IncrementAsync(cache, line.Bytes("key"), line.DemandLong("amount"), line.Ttl(), line.Flag("keepTtl", false), stop)
                .ConfigureAwait(false)),
        "itemGetTtl" => Of(await client.ItemGetTtlAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "itemGetType" => Of(await client.ItemGetTypeAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "getWithHash" => Of(await client.GetWithHashAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "updateTtl" => Of(await client.UpdateTtlAsync(cache, line.Bytes("key"), line.DemandTtl(), stop).ConfigureAwait(false)),
        "increaseTtl" => Of(await client.IncreaseTtlAsync(cache, line.Bytes("key"), line.DemandTtl(), stop).ConfigureAwait(false)),
        "decreaseTtl" => Of(await client.DecreaseTtlAsync(cache, line.Bytes("key"), line.DemandTtl(), stop).ConfigureAwait(false)),
        "updateTtlIfPrefix" => Of(await client.UpdateTtlIfPrefixAsync(cache, line.Bytes("key"), line.Bytes("prefix"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfAbsent" => Of(await client.SetIfAbsentAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresent" => Of(await client.SetIfPresentAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfEqual" => Of(
            await client.SetIfEqualAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfNotEqual" => Of(
            await client.SetIfNotEqualAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresentAndNotEqual" => Of(
            await client.SetIfPresentAndNotEqualAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop)
                .ConfigureAwait(false)),
        "setIfAbsentOrEqual" => Of(
            await client.SetIfAbsentOrEqualAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresentAndHashEqual" => Of(
            await client.SetIfPresentAndHashEqualAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop)
                .ConfigureAwait(false)),
        "setIfPresentAndNotHashEqual" => Of(
            await client.SetIfPresentAndNotHashEqualAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop)
                .ConfigureAwait(false)),
        "setIfAbsentOrHashEqual" => Of(
            await client.SetIfAbsentOrHashEqualAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop)
                .ConfigureAwait(false)),
        "setIfAbsentOrNotHashEqual" => Of(
            await client.SetIfAbsentOrNotHashEqualAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop)
                .ConfigureAwait(false)),
        "setWithHash" => Of(await client.SetWithHashAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "dictionaryGet" => Of(await client.DictionaryGetAsync(cache, line.Bytes("key"), line.List("fields"), stop).ConfigureAwait(false)),
        "dictionaryFetch" => Of(await client.DictionaryFetchAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "dictionarySet" => Of(
            await client.DictionarySetAsync(cache, line.Bytes("key"), line.Items("items"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "dictionaryIncrement" => Of(
            await client.DictionaryIncrementAsync(cache, line.Bytes("key"), line.Bytes("field"), line.DemandLong("amount"), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "dictionaryDelete" => Of(await client.DictionaryDeleteAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "dictionaryRemove" => Of(await client.DictionaryRemoveAsync(cache, line.Bytes("key"), line.List("fields"), stop).ConfigureAwait(false)),
        "dictionaryLength" => Of(await client.DictionaryLengthAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "setFetch" => Of(await client.SetFetchAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "setSample" => Of(await client.SetSampleAsync(cache, line.Bytes("key"), line.DemandLong("limit"), stop).ConfigureAwait(false)),
        "setUnion" => Of(await client.SetUnionAsync(cache, line.Bytes("key"), line.List("elements"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "setDifference" => Of(await client.SetDifferenceAsync(cache, line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "setDifferenceFrom" => Of(await client.SetDifferenceFromAsync(cache, line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "setContains" => Of(await client.SetContainsAsync(cache, line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "setLength" => Of(await client.SetLengthAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "setPop" => Of(await client.SetPopAsync(cache, line.Bytes("key"), line.Int("count", 1), stop).ConfigureAwait(false)),
        "listPushFront" => Of(
            await client.ListPushFrontAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Int("truncateBackToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listPushBack" => Of(
            await client.ListPushBackAsync(cache, line.Bytes("key"), line.Bytes("value"), line.Int("truncateFrontToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listConcatenateFront" => Of(
            await client.ListConcatenateFrontAsync(cache, line.Bytes("key"), line.List("values"), line.Int("truncateBackToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listConcatenateBack" => Of(
            await client.ListConcatenateBackAsync(cache, line.Bytes("key"), line.List("values"), line.Int("truncateFrontToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listPopFront" => Of(await client.ListPopFrontAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "listPopBack" => Of(await client.ListPopBackAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "listFetch" => Of(await client.ListFetchAsync(cache, line.Bytes("key"), line.Index("start"), line.Index("end"), stop).ConfigureAwait(false)),
        "listRetain" => Of(
            await client.ListRetainAsync(cache, line.Bytes("key"), line.Index("start"), line.Index("end"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "listRemove" => Of(await client.ListRemoveAsync(cache, line.Bytes("key"), line.Bytes("value"), stop).ConfigureAwait(false)),
        "listErase" => Of(await client.ListEraseAsync(cache, line.Bytes("key"), line.Ranges("ranges"), stop).ConfigureAwait(false)),
        "listLength" => Of(await client.ListLengthAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "sortedSetPut" => Of(
            await client.SortedSetPutAsync(cache, line.Bytes("key"), line.Elements("elements"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "sortedSetFetchByRank" => Of(
            await client.SortedSetFetchByRankAsync(
                cache,
                line.Bytes("key"),
                line.Choice("order", SortedSetOrder.Ascending),
                line.Index("start"),
                line.Index("end"),
                stop).ConfigureAwait(false)),
        "sortedSetFetchByScore" => Of(
            await client.SortedSetFetchByScoreAsync(
                cache,
                line.Bytes("key"),
                line.Choice("order", SortedSetOrder.Ascending),
                line.Bound("min"),
                line.Bound("max"),
                line.Int("offset", 0),
                line.Int("count", -1),
                stop).ConfigureAwait(false)),
        "sortedSetGetScore" => Of(await client.SortedSetGetScoreAsync(cache, line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "sortedSetGetRank" => Of(
            await client.SortedSetGetRankAsync(cache, line.Bytes("key"), line.Bytes("element"), line.Choice("order", SortedSetOrder.Ascending), stop)
                .ConfigureAwait(false)),
        "sortedSetIncrement" => Of(
            await client.SortedSetIncrementAsync(cache, line.Bytes("key"), line.Bytes("element"), line.Score("amount"), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "sortedSetRemove" => Of(await client.SortedSetRemoveAsync(cache, line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "sortedSetLength" => Of(await client.SortedSetLengthAsync(cache, line.Bytes("key"), stop).ConfigureAwait(false)),
        "sortedSetLengthByScore" => Of(
            await client.SortedSetLengthByScoreAsync(cache, line.Bytes("key"), line.Bound("min"), line.Bound("max"), stop).ConfigureAwait(false)),
        "sortedSetUnionStore" => Of(
            await client.SortedSetUnionStoreAsync(
                cache,
                line.Bytes("key"),
                line.Sources("sources"),
                line.Choice("aggregate", SortedSetAggregate.Sum),
                line.Ttl(),
                stop).ConfigureAwait(false)),
        "createCache" => Of(await client.CreateCacheAsync(cache, stop).ConfigureAwait(false)),
        "deleteCache" => Of(await client.DeleteCacheAsync(cache, stop).ConfigureAwait(false)),
        "flushCache" => Of(await client.FlushCacheAsync(cache, stop).ConfigureAwait(false)),
        "ping" => Of(await client.PingAsync(stop).ConfigureAwait(false)),
        _ => null,
    };
}
