using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>Each operation of <c>conformance/AGENT.md</c> as the call of the client that it names.</summary>
internal sealed class AgentOperations(CacheClient client, string defaultCache)
{
    /// <summary>Does one operation.</summary>
    /// <exception cref="AgentException">The client has no such operation, or a field is missing.</exception>
    public Task<JsonObject> ExecuteAsync(string op, JsonElement line, CancellationToken stop)
    {
        var cache = line.Text("cache") ?? defaultCache;
        return op switch
        {
            "getBatch" or "setBatch" or "keysExist" => ManyAsync(op, cache, line, stop),
            "createCache" or "deleteCache" or "flushCache" or "listCaches" or "ping" => ControlAsync(op, cache, stop),
            _ when op.Contains("Hash", StringComparison.Ordinal) => HashAsync(op, cache, line, stop),
            _ when op.StartsWith("setIf", StringComparison.Ordinal) => ConditionAsync(op, cache, line, stop),
            _ => OneAsync(op, cache, line, stop),
        };
    }

    private async Task<JsonObject> OneAsync(string op, string cache, JsonElement line, CancellationToken stop)
    {
        var key = line.Bytes("key");
        switch (op)
        {
            case "get": return AgentAnswer.Of(await client.GetAsync(cache, key, stop).ConfigureAwait(false));
            case "set": return AgentAnswer.Of(await client.SetAsync(cache, key, line.Bytes("value"), Ttl(line), stop).ConfigureAwait(false));
            case "updateTtl": return AgentAnswer.Of(await client.UpdateTtlAsync(cache, key, DemandTtl(line), stop).ConfigureAwait(false));
            case "increaseTtl": return AgentAnswer.Of(await client.IncreaseTtlAsync(cache, key, DemandTtl(line), stop).ConfigureAwait(false));
            case "decreaseTtl": return AgentAnswer.Of(await client.DecreaseTtlAsync(cache, key, DemandTtl(line), stop).ConfigureAwait(false));
            case "delete": return await client.DeleteAsync(cache, key, stop).ConfigureAwait(false) is var deleted && deleted is DeleteResponse.Success ? AgentAnswer.Result("success") : AgentAnswer.FailedOr(deleted);
            case "keyExists": return Exists(await client.KeyExistsAsync(cache, key, stop).ConfigureAwait(false));
            case "itemGetTtl": return Found(await client.ItemGetTtlAsync(cache, key, stop).ConfigureAwait(false));
            case "itemGetType": return Found(await client.ItemGetTypeAsync(cache, key, stop).ConfigureAwait(false));
            case "increment":
                var amount = line.Long("amount") ?? throw new AgentException("amount is missing");
                var keepTtl = line.TryGetProperty("keepTtl", out var keep) && keep.ValueKind == JsonValueKind.True;
                return Number(await client.IncrementAsync(cache, key, amount, Ttl(line), keepTtl, stop).ConfigureAwait(false));
            default: throw AgentException.Unsupported(op);
        }
    }

    private async Task<JsonObject> ConditionAsync(string op, string cache, JsonElement line, CancellationToken stop)
    {
        var (key, value, ttl) = (line.Bytes("key"), line.Bytes("value"), Ttl(line));
        return AgentAnswer.Of(op switch
        {
            "setIfAbsent" => await client.SetIfAbsentAsync(cache, key, value, ttl, stop).ConfigureAwait(false),
            "setIfPresent" => await client.SetIfPresentAsync(cache, key, value, ttl, stop).ConfigureAwait(false),
            "setIfEqual" => await client.SetIfEqualAsync(cache, key, value, line.Bytes("equal"), ttl, stop).ConfigureAwait(false),
            "setIfNotEqual" => await client.SetIfNotEqualAsync(cache, key, value, line.Bytes("equal"), ttl, stop).ConfigureAwait(false),
            "setIfPresentAndNotEqual" => await client.SetIfPresentAndNotEqualAsync(cache, key, value, line.Bytes("equal"), ttl, stop).ConfigureAwait(false),
            "setIfAbsentOrEqual" => await client.SetIfAbsentOrEqualAsync(cache, key, value, line.Bytes("equal"), ttl, stop).ConfigureAwait(false),
            _ => throw AgentException.Unsupported(op),
        });
    }

    private async Task<JsonObject> HashAsync(string op, string cache, JsonElement line, CancellationToken stop)
    {
        var key = line.Bytes("key");
        if (op == "getWithHash")
        {
            return AgentAnswer.Of(await client.GetWithHashAsync(cache, key, stop).ConfigureAwait(false));
        }

        var (value, ttl) = (line.Bytes("value"), Ttl(line));
        return AgentAnswer.Of(op switch
        {
            "setWithHash" => await client.SetWithHashAsync(cache, key, value, ttl, stop).ConfigureAwait(false),
            "setIfPresentAndHashEqual" => await client.SetIfPresentAndHashEqualAsync(cache, key, value, line.Bytes("hash"), ttl, stop).ConfigureAwait(false),
            "setIfPresentAndNotHashEqual" => await client.SetIfPresentAndNotHashEqualAsync(cache, key, value, line.Bytes("hash"), ttl, stop).ConfigureAwait(false),
            "setIfAbsentOrHashEqual" => await client.SetIfAbsentOrHashEqualAsync(cache, key, value, line.Bytes("hash"), ttl, stop).ConfigureAwait(false),
            "setIfAbsentOrNotHashEqual" => await client.SetIfAbsentOrNotHashEqualAsync(cache, key, value, line.Bytes("hash"), ttl, stop).ConfigureAwait(false),
            _ => throw AgentException.Unsupported(op),
        });
    }

    private async Task<JsonObject> ManyAsync(string op, string cache, JsonElement line, CancellationToken stop)
    {
        if (op == "setBatch")
        {
            var items = Items(line, "items", item => new SetBatchItem(item.Bytes("key"), item.Bytes("value"), Ttl(item) ?? Ttl(line)));
            var set = await client.SetBatchAsync(cache, items, cancellationToken: stop).ConfigureAwait(false);
            return set is SetBatchResponse.Success stored ? Responses(stored.Responses.Select(AgentAnswer.Of)) : AgentAnswer.FailedOr(set);
        }

        var keys = Items(line, "keys", item => (CacheBytes)item.Bytes("key"));
        if (op == "keysExist")
        {
            var exist = await client.KeysExistAsync(cache, keys, stop).ConfigureAwait(false);
            return exist is KeysExistResponse.Success told ? new() { ["result"] = "success", ["exists"] = new JsonArray([.. told.Exists.Select(one => (JsonNode)one)]) } : AgentAnswer.FailedOr(exist);
        }

        var got = await client.GetBatchAsync(cache, keys, stop).ConfigureAwait(false);
        return got is GetBatchResponse.Success success ? Responses(success.Responses.Select(AgentAnswer.Of)) : AgentAnswer.FailedOr(got);
    }

    private async Task<JsonObject> ControlAsync(string op, string cache, CancellationToken stop)
    {
        if (op == "listCaches")
        {
            var listed = await client.ListCachesAsync(stop).ConfigureAwait(false);
            return listed is ListCachesResponse.Success told ? new() { ["result"] = "success", ["caches"] = new JsonArray([.. told.Caches.Select(one => (JsonNode)one.Name)]) } : AgentAnswer.FailedOr(listed);
        }

        object response = op switch
        {
            "createCache" => await client.CreateCacheAsync(cache, stop).ConfigureAwait(false),
            "deleteCache" => await client.DeleteCacheAsync(cache, stop).ConfigureAwait(false),
            "flushCache" => await client.FlushCacheAsync(cache, stop).ConfigureAwait(false),
            _ => await client.PingAsync(stop).ConfigureAwait(false),
        };
        return response is ICacheFailure failed ? AgentAnswer.Failed(failed.Failure) : AgentAnswer.Result("success");
    }

    private static JsonObject Exists(KeyExistsResponse response) =>
        response is KeyExistsResponse.Success told ? new() { ["result"] = "success", ["exists"] = told.Exists } : AgentAnswer.FailedOr(response);

    private static JsonObject Number(IncrementResponse response) =>
        response is IncrementResponse.Success told ? new() { ["result"] = "success", ["number"] = told.Value.ToString(CultureInfo.InvariantCulture) } : AgentAnswer.FailedOr(response);

    private static JsonObject Found(ItemGetTtlResponse response) => response switch
    {
        ItemGetTtlResponse.Found found => new() { ["result"] = "found", ["remainingTtlMs"] = (long)found.RemainingTtl.TotalMilliseconds },
        ItemGetTtlResponse.Missing => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Found(ItemGetTypeResponse response) => response switch
    {
        ItemGetTypeResponse.Found found => new() { ["result"] = "found", ["type"] = JsonNamingPolicy.CamelCase.ConvertName(found.Type.ToString()) },
        ItemGetTypeResponse.Missing => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Responses(IEnumerable<JsonObject> answers) => new() { ["result"] = "success", ["responses"] = new JsonArray([.. answers]) };

    private static T[] Items<T>(JsonElement line, string field, Func<JsonElement, T> read) =>
        line.TryGetProperty(field, out var items) ? [.. items.EnumerateArray().Select(read)] : throw new AgentException($"{field} is missing");

    /// <summary>A TTL beyond what a TimeSpan holds (292 million years) is its largest: the client refuses both.</summary>
    private static TimeSpan? Ttl(JsonElement line) =>
        line.Decimal("ttlMs") is not { } ms ? null
        : ms >= (decimal)TimeSpan.MaxValue.TotalMilliseconds ? TimeSpan.MaxValue
        : ms <= (decimal)TimeSpan.MinValue.TotalMilliseconds ? TimeSpan.MinValue
        : new TimeSpan((long)(ms * TimeSpan.TicksPerMillisecond));

    private static TimeSpan DemandTtl(JsonElement line) => Ttl(line) ?? throw new AgentException("ttlMs is missing");
}
