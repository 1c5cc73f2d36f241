// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>The operations of <c>conformance/AGENT.md</c> that make one client call each.</summary>
internal static partial class AgentCalls
{
    /// <summary>Runs an operation; returns null if it is not one of these.</summary>
    /// <exception cref="AgentException">A field is missing.</exception>
    public static async Task<JsonObject?> ExecuteAsync(CacheClient client, string op, Cache cache, JsonElement line, CancellationToken stop) => op switch
    {
        "get" => AgentAnswer.Of(await cache.GetAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "set" => AgentAnswer.Of(await cache.SetAsync(line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "delete" => Of(await cache.DeleteAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "increment" => Of(
            await cache.IncrementAsync(line.Bytes("key"), line.RequireLong("amount"), line.Ttl(), line.Flag("keepTtl", false), stop).ConfigureAwait(false)),
        "itemGetTtl" => Of(await cache.ItemGetTtlAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "itemGetType" => Of(await cache.ItemGetTypeAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "getWithHash" => Of(await cache.GetWithHashAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "updateTtl" => Of(await cache.UpdateTtlAsync(line.Bytes("key"), line.RequireTtl(), stop).ConfigureAwait(false)),
        "increaseTtl" => Of(await cache.IncreaseTtlAsync(line.Bytes("key"), line.RequireTtl(), stop).ConfigureAwait(false)),
        "decreaseTtl" => Of(await cache.DecreaseTtlAsync(line.Bytes("key"), line.RequireTtl(), stop).ConfigureAwait(false)),
        "updateTtlIfPrefix" => Of(await cache.UpdateTtlIfPrefixAsync(line.Bytes("key"), line.Bytes("prefix"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfAbsent" => Of(await cache.SetIfAbsentAsync(line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresent" => Of(await cache.SetIfPresentAsync(line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfEqual" => Of(await cache.SetIfEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfNotEqual" => Of(
            await cache.SetIfNotEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresentAndNotEqual" => Of(
            await cache.SetIfPresentAndNotEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfAbsentOrEqual" => Of(
            await cache.SetIfAbsentOrEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresentAndHashEqual" => Of(
            await cache.SetIfPresentAndHashEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresentAndNotHashEqual" => Of(
            await cache.SetIfPresentAndNotHashEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfAbsentOrHashEqual" => Of(
            await cache.SetIfAbsentOrHashEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfAbsentOrNotHashEqual" => Of(
            await cache.SetIfAbsentOrNotHashEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop).ConfigureAwait(false)),
        "setWithHash" => Of(await cache.SetWithHashAsync(line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "dictionaryGet" => Of(await cache.DictionaryGetAsync(line.Bytes("key"), line.List("fields"), stop).ConfigureAwait(false)),
        "dictionaryFetch" => Of(await cache.DictionaryFetchAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "dictionarySet" => Of(await cache.DictionarySetAsync(line.Bytes("key"), line.Items("items"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "dictionaryIncrement" => Of(
            await cache.DictionaryIncrementAsync(line.Bytes("key"), line.Bytes("field"), line.RequireLong("amount"), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "dictionaryDelete" => Of(await cache.DictionaryDeleteAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "dictionaryRemove" => Of(await cache.DictionaryRemoveAsync(line.Bytes("key"), line.List("fields"), stop).ConfigureAwait(false)),
        "dictionaryLength" => Of(await cache.DictionaryLengthAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "setFetch" => Of(await cache.SetFetchAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "setSample" => Of(await cache.SetSampleAsync(line.Bytes("key"), line.RequireLong("limit"), stop).ConfigureAwait(false)),
        "setUnion" => Of(await cache.SetUnionAsync(line.Bytes("key"), line.List("elements"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "setDifference" => Of(await cache.SetDifferenceAsync(line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "setDifferenceFrom" => Of(await cache.SetDifferenceFromAsync(line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "setContains" => Of(await cache.SetContainsAsync(line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "setLength" => Of(await cache.SetLengthAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "setPop" => Of(await cache.SetPopAsync(line.Bytes("key"), line.Int("count", 1), stop).ConfigureAwait(false)),
        "listPushFront" => Of(
            await cache.ListPushFrontAsync(line.Bytes("key"), line.Bytes("value"), line.Int("truncateBackToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listPushBack" => Of(
            await cache.ListPushBackAsync(line.Bytes("key"), line.Bytes("value"), line.Int("truncateFrontToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listConcatenateFront" => Of(
            await cache.ListConcatenateFrontAsync(line.Bytes("key"), line.List("values"), line.Int("truncateBackToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listConcatenateBack" => Of(
            await cache.ListConcatenateBackAsync(line.Bytes("key"), line.List("values"), line.Int("truncateFrontToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listPopFront" => Of(await cache.ListPopFrontAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "listPopBack" => Of(await cache.ListPopBackAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "listFetch" => Of(await cache.ListFetchAsync(line.Bytes("key"), line.Index("start"), line.Index("end"), stop).ConfigureAwait(false)),
        "listRetain" => Of(
            await cache.ListRetainAsync(line.Bytes("key"), line.Index("start"), line.Index("end"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "listRemove" => Of(await cache.ListRemoveAsync(line.Bytes("key"), line.Bytes("value"), stop).ConfigureAwait(false)),
        "listErase" => Of(await cache.ListEraseAsync(line.Bytes("key"), line.Ranges("ranges"), stop).ConfigureAwait(false)),
        "listLength" => Of(await cache.ListLengthAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "sortedSetPut" => Of(await cache.SortedSetPutAsync(line.Bytes("key"), line.Elements("elements"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "sortedSetFetchByRank" => Of(
            await cache.SortedSetFetchByRankAsync(
                line.Bytes("key"),
                line.Choice("order", SortedSetOrder.Ascending),
                line.Index("start"),
                line.Index("end"),
                stop).ConfigureAwait(false)),
        "sortedSetFetchByScore" => Of(
            await cache.SortedSetFetchByScoreAsync(
                line.Bytes("key"),
                line.Choice("order", SortedSetOrder.Ascending),
                line.Bound("min"),
                line.Bound("max"),
                line.Int("offset", 0),
                line.Int("count", -1),
                stop).ConfigureAwait(false)),
        "sortedSetGetScore" => Of(await cache.SortedSetGetScoreAsync(line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "sortedSetGetRank" => Of(
            await cache.SortedSetGetRankAsync(line.Bytes("key"), line.Bytes("element"), line.Choice("order", SortedSetOrder.Ascending), stop)
                .ConfigureAwait(false)),
        "sortedSetIncrement" => Of(
            await cache.SortedSetIncrementAsync(line.Bytes("key"), line.Bytes("element"), line.Score("amount"), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "sortedSetRemove" => Of(await cache.SortedSetRemoveAsync(line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "sortedSetLength" => Of(await cache.SortedSetLengthAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "sortedSetLengthByScore" => Of(
            await cache.SortedSetLengthByScoreAsync(line.Bytes("key"), line.Bound("min"), line.Bound("max"), stop).ConfigureAwait(false)),
        "sortedSetUnionStore" => Of(
            await cache.SortedSetUnionStoreAsync(line.Bytes("key"), line.Sources("sources"), line.Choice("aggregate", SortedSetAggregate.Sum), line.Ttl(), stop)
                .ConfigureAwait(false)),
        "createCache" => Of(await client.CreateCacheAsync(cache.Name, stop).ConfigureAwait(false)),
        "deleteCache" => Of(await client.DeleteCacheAsync(cache.Name, stop).ConfigureAwait(false)),
        "flushCache" => Of(await client.FlushCacheAsync(cache.Name, stop).ConfigureAwait(false)),
        "ping" => Of(await client.PingAsync(stop).ConfigureAwait(false)),
        _ => null,
    };
}
