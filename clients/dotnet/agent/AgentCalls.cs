// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>The operations of <c>conformance/AGENT.md</c> that are one call of the client each.</summary>
internal static class AgentCalls
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
        "createCache" => Of(await client.CreateCacheAsync(cache, stop).ConfigureAwait(false)),
        "deleteCache" => Of(await client.DeleteCacheAsync(cache, stop).ConfigureAwait(false)),
        "flushCache" => Of(await client.FlushCacheAsync(cache, stop).ConfigureAwait(false)),
        "ping" => Of(await client.PingAsync(stop).ConfigureAwait(false)),
        _ => null,
    };

    private static JsonObject Of(DeleteResponse response) => response switch
    {
        DeleteResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(IncrementResponse response) => response switch
    {
        IncrementResponse.Success told => AgentAnswer.Result("success").WithNumber("number", told.Value),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ItemGetTtlResponse response) => response switch
    {
        ItemGetTtlResponse.Found found => AgentAnswer.Result("found").With("remainingTtlMs", (long)found.RemainingTtl.TotalMilliseconds),
        ItemGetTtlResponse.Missing => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ItemGetTypeResponse response) => response switch
    {
        ItemGetTypeResponse.Found found => AgentAnswer.Result("found").With("type", JsonNamingPolicy.CamelCase.ConvertName(found.Type.ToString())),
        ItemGetTypeResponse.Missing => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(GetWithHashResponse response) => response switch
    {
        GetWithHashResponse.Hit hit => AgentAnswer.Result("found").WithBytes("value", hit.Value.Span).With("hashBase64", Convert.ToBase64String(hit.Hash.Span)),
        GetWithHashResponse.Miss => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(UpdateTtlResponse response) => response switch
    {
        UpdateTtlResponse.Set => AgentAnswer.Result("set"),
        UpdateTtlResponse.NotSet => AgentAnswer.Result("notSet"),
        UpdateTtlResponse.Missing => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SetIfResponse response) => response switch
    {
        SetIfResponse.Stored => AgentAnswer.Result("stored"),
        SetIfResponse.NotStored => AgentAnswer.Result("notStored"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SetIfHashResponse response) => response switch
    {
        SetIfHashResponse.Stored stored => AgentAnswer.Result("stored").With("hashBase64", Convert.ToBase64String(stored.Hash.Span)),
        SetIfHashResponse.NotStored => AgentAnswer.Result("notStored"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(CreateCacheResponse response) => response switch
    {
        CreateCacheResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(DeleteCacheResponse response) => response switch
    {
        DeleteCacheResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(FlushCacheResponse response) => response switch
    {
        FlushCacheResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(PingResponse response) => response switch
    {
        PingResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };
}
