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
        "delete" => AgentAnswer.Of(await cache.DeleteAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "increment" => IncrementAnswer(
            await cache.IncrementAsync(line.Bytes("key"), line.RequireLong("amount"), line.Ttl(), line.Flag("keepTtl", false), stop).ConfigureAwait(false)),
        "itemGetTtl" => ItemGetTtlAnswer(await cache.ItemGetTtlAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "itemGetType" => ItemGetTypeAnswer(await cache.ItemGetTypeAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "getWithHash" => GetWithHashAnswer(await cache.GetWithHashAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "updateTtl" => UpdateTtlAnswer(await cache.UpdateTtlAsync(line.Bytes("key"), line.RequireTtl(), stop).ConfigureAwait(false)),
        "increaseTtl" => UpdateTtlAnswer(await cache.IncreaseTtlAsync(line.Bytes("key"), line.RequireTtl(), stop).ConfigureAwait(false)),
        "decreaseTtl" => UpdateTtlAnswer(await cache.DecreaseTtlAsync(line.Bytes("key"), line.RequireTtl(), stop).ConfigureAwait(false)),
        "updateTtlIfPrefix" => UpdateTtlIfPrefixAnswer(
            await cache.UpdateTtlIfPrefixAsync(line.Bytes("key"), line.Bytes("prefix"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfAbsent" => SetIfAnswer(await cache.SetIfAbsentAsync(line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresent" => SetIfAnswer(await cache.SetIfPresentAsync(line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfEqual" => SetIfAnswer(
            await cache.SetIfEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfNotEqual" => SetIfAnswer(
            await cache.SetIfNotEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresentAndNotEqual" => SetIfAnswer(
            await cache.SetIfPresentAndNotEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfAbsentOrEqual" => SetIfAnswer(
            await cache.SetIfAbsentOrEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("equal"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresentAndHashEqual" => SetIfHashAnswer(
            await cache.SetIfPresentAndHashEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfPresentAndNotHashEqual" => SetIfHashAnswer(
            await cache.SetIfPresentAndNotHashEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfAbsentOrHashEqual" => SetIfHashAnswer(
            await cache.SetIfAbsentOrHashEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop).ConfigureAwait(false)),
        "setIfAbsentOrNotHashEqual" => SetIfHashAnswer(
            await cache.SetIfAbsentOrNotHashEqualAsync(line.Bytes("key"), line.Bytes("value"), line.Bytes("hash"), line.Ttl(), stop).ConfigureAwait(false)),
        "setWithHash" => SetIfHashAnswer(await cache.SetWithHashAsync(line.Bytes("key"), line.Bytes("value"), line.Ttl(), stop).ConfigureAwait(false)),
        "dictionaryGet" => DictionaryGetAnswer(await cache.DictionaryGetAsync(line.Bytes("key"), line.List("fields"), stop).ConfigureAwait(false)),
        "dictionaryFetch" => DictionaryFetchAnswer(await cache.DictionaryFetchAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "dictionarySet" => AgentAnswer.Of(
            await cache.DictionarySetAsync(line.Bytes("key"), line.Items("items"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "dictionaryIncrement" => DictionaryIncrementAnswer(
            await cache.DictionaryIncrementAsync(line.Bytes("key"), line.Bytes("field"), line.RequireLong("amount"), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "dictionaryDelete" => AgentAnswer.Of(await cache.DictionaryDeleteAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "dictionaryRemove" => AgentAnswer.Of(await cache.DictionaryRemoveAsync(line.Bytes("key"), line.List("fields"), stop).ConfigureAwait(false)),
        "dictionaryLength" => DictionaryLengthAnswer(await cache.DictionaryLengthAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "setFetch" => SetFetchAnswer(await cache.SetFetchAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "setSample" => SetSampleAnswer(await cache.SetSampleAsync(line.Bytes("key"), line.RequireLong("limit"), stop).ConfigureAwait(false)),
        "setUnion" => AgentAnswer.Of(await cache.SetUnionAsync(line.Bytes("key"), line.List("elements"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "setDifference" => SetDifferenceAnswer(await cache.SetDifferenceAsync(line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "setDifferenceFrom" => SetDifferenceAnswer(await cache.SetDifferenceFromAsync(line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "setContains" => SetContainsAnswer(await cache.SetContainsAsync(line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "setLength" => SetLengthAnswer(await cache.SetLengthAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "setPop" => SetPopAnswer(await cache.SetPopAsync(line.Bytes("key"), line.Int("count", 1), stop).ConfigureAwait(false)),
        "listPushFront" => ListPushFrontAnswer(
            await cache.ListPushFrontAsync(line.Bytes("key"), line.Bytes("value"), line.Int("truncateBackToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listPushBack" => ListPushBackAnswer(
            await cache.ListPushBackAsync(line.Bytes("key"), line.Bytes("value"), line.Int("truncateFrontToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listConcatenateFront" => ListConcatenateFrontAnswer(
            await cache.ListConcatenateFrontAsync(line.Bytes("key"), line.List("values"), line.Int("truncateBackToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listConcatenateBack" => ListConcatenateBackAnswer(
            await cache.ListConcatenateBackAsync(line.Bytes("key"), line.List("values"), line.Int("truncateFrontToSize", 0), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "listPopFront" => ListPopFrontAnswer(await cache.ListPopFrontAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "listPopBack" => ListPopBackAnswer(await cache.ListPopBackAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "listFetch" => ListFetchAnswer(await cache.ListFetchAsync(line.Bytes("key"), line.Index("start"), line.Index("end"), stop).ConfigureAwait(false)),
        "listRetain" => ListRetainAnswer(
            await cache.ListRetainAsync(line.Bytes("key"), line.Index("start"), line.Index("end"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "listRemove" => ListRemoveAnswer(await cache.ListRemoveAsync(line.Bytes("key"), line.Bytes("value"), stop).ConfigureAwait(false)),
        "listErase" => ListEraseAnswer(await cache.ListEraseAsync(line.Bytes("key"), line.Ranges("ranges"), stop).ConfigureAwait(false)),
        "listLength" => ListLengthAnswer(await cache.ListLengthAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "sortedSetPut" => AgentAnswer.Of(
            await cache.SortedSetPutAsync(line.Bytes("key"), line.Elements("elements"), line.CollectionTtl(), stop).ConfigureAwait(false)),
        "sortedSetFetchByRank" => SortedSetFetchAnswer(
            await cache.SortedSetFetchByRankAsync(
                line.Bytes("key"),
                line.Choice("order", SortedSetOrder.Ascending),
                line.Index("start"),
                line.Index("end"),
                stop).ConfigureAwait(false)),
        "sortedSetFetchByScore" => SortedSetFetchAnswer(
            await cache.SortedSetFetchByScoreAsync(
                line.Bytes("key"),
                line.Choice("order", SortedSetOrder.Ascending),
                line.Bound("min"),
                line.Bound("max"),
                line.Int("offset", 0),
                line.Int("count", -1),
                stop).ConfigureAwait(false)),
        "sortedSetGetScore" => SortedSetGetScoreAnswer(
            await cache.SortedSetGetScoreAsync(line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "sortedSetGetRank" => SortedSetGetRankAnswer(
            await cache.SortedSetGetRankAsync(line.Bytes("key"), line.Bytes("element"), line.Choice("order", SortedSetOrder.Ascending), stop)
                .ConfigureAwait(false)),
        "sortedSetIncrement" => SortedSetIncrementAnswer(
            await cache.SortedSetIncrementAsync(line.Bytes("key"), line.Bytes("element"), line.Score("amount"), line.CollectionTtl(), stop)
                .ConfigureAwait(false)),
        "sortedSetRemove" => AgentAnswer.Of(await cache.SortedSetRemoveAsync(line.Bytes("key"), line.List("elements"), stop).ConfigureAwait(false)),
        "sortedSetLength" => SortedSetLengthAnswer(await cache.SortedSetLengthAsync(line.Bytes("key"), stop).ConfigureAwait(false)),
        "sortedSetLengthByScore" => SortedSetLengthByScoreAnswer(
            await cache.SortedSetLengthByScoreAsync(line.Bytes("key"), line.Bound("min"), line.Bound("max"), stop).ConfigureAwait(false)),
        "sortedSetUnionStore" => SortedSetUnionStoreAnswer(
            await cache.SortedSetUnionStoreAsync(line.Bytes("key"), line.Sources("sources"), line.Choice("aggregate", SortedSetAggregate.Sum), line.Ttl(), stop)
                .ConfigureAwait(false)),
        "createCache" => AgentAnswer.Of(await client.CreateCacheAsync(cache.Name, stop).ConfigureAwait(false)),
        "deleteCache" => AgentAnswer.Of(await client.DeleteCacheAsync(cache.Name, stop).ConfigureAwait(false)),
        "flushCache" => AgentAnswer.Of(await client.FlushCacheAsync(cache.Name, stop).ConfigureAwait(false)),
        "ping" => AgentAnswer.Of(await client.PingAsync(stop).ConfigureAwait(false)),
        _ => null,
    };
}
