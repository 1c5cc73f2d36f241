using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>
/// Maps each operation of <c>conformance/AGENT.md</c> to its client call, except the operations whose code is generated from the operation table.
/// </summary>
internal sealed class AgentOperations(CacheClient client, string defaultCache)
{
    /// <summary>Executes one operation.</summary>
    /// <exception cref="AgentException">The client has no such operation, or a field is missing.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is out of range.</exception>
    public async Task<JsonObject> ExecuteAsync(string op, JsonElement line, CancellationToken stop)
    {
        Cache cache = client.Cache(line.Text("cache") ?? defaultCache);
        if (line.Number("timeoutMs") is { } timeoutMs)
        {
            cache = cache.WithTimeout(TimeSpan.FromMilliseconds(timeoutMs));
        }

        return op switch
        {
            "getBatch" => await GetBatchAsync(cache, line, stop).ConfigureAwait(false),
            "setBatch" => await SetBatchAsync(cache, line, stop).ConfigureAwait(false),
            "keyExists" => await KeyExistsAsync(cache, line, stop).ConfigureAwait(false),
            "keysExist" => await KeysExistAsync(cache, line, stop).ConfigureAwait(false),
            "setWithLease" => AgentAnswer.Of(
                await cache.SetWithTagsAsync(line.Bytes("key"), line.Bytes("value"), line.List("tags"), line.Ttl(), stop).ConfigureAwait(false)),
            "removeByTag" => AgentAnswer.Of(await cache.RemoveByTagAsync(line.List("tags"), stop).ConfigureAwait(false)),
            "scanKeys" => await AgentScan.RunAsync(cache, line, stop).ConfigureAwait(false),
            "scanItems" => await AgentItemScan.RunAsync(cache, line, stop).ConfigureAwait(false),
            "publish" => await PublishAsync(cache, line, stop).ConfigureAwait(false),
            "listCaches" => await ListCachesAsync(stop).ConfigureAwait(false),
            _ => await AgentCalls.ExecuteAsync(client, op, cache, line, stop).ConfigureAwait(false) ?? throw AgentException.Unsupported(op),
        };
    }

    private static async Task<JsonObject> GetBatchAsync(Cache cache, JsonElement line, CancellationToken stop)
    {
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> response = await cache.GetBatchAsync(Keys(line), stop).ConfigureAwait(false);
        return response.IsSuccess ? Responses(response.Value.Select(AgentAnswer.Of)) : AgentAnswer.FailedOr(response);
    }

    private static async Task<JsonObject> SetBatchAsync(Cache cache, JsonElement line, CancellationToken stop)
    {
        SetBatchItem[] items = Items(line, "items", item => new SetBatchItem(item.Bytes("key"), item.Bytes("value"), item.Ttl() ?? line.Ttl()));
        CacheResult<IReadOnlyList<CacheResult>> response = await cache.SetBatchAsync(items, cancellationToken: stop).ConfigureAwait(false);
        return response.IsSuccess ? Responses(response.Value.Select(AgentAnswer.Of)) : AgentAnswer.FailedOr(response);
    }

    private static async Task<JsonObject> KeyExistsAsync(Cache cache, JsonElement line, CancellationToken stop)
    {
        CacheResult<bool> response = await cache.KeyExistsAsync(line.Bytes("key"), stop).ConfigureAwait(false);
        return response.IsSuccess ? AgentAnswer.Result("success").With("exists", response.Value) : AgentAnswer.FailedOr(response);
    }

    private static async Task<JsonObject> KeysExistAsync(Cache cache, JsonElement line, CancellationToken stop)
    {
        CacheResult<IReadOnlyList<bool>> response = await cache.KeysExistAsync(Keys(line), stop).ConfigureAwait(false);
        return response.IsSuccess
            ? AgentAnswer.Result("success").With("exists", new JsonArray([.. response.Value.Select(one => (JsonNode)one)]))
            : AgentAnswer.FailedOr(response);
    }

    private async Task<JsonObject> ListCachesAsync(CancellationToken stop)
    {
        CacheResult<IReadOnlyList<CacheInfo>> response = await client.ListCachesAsync(stop).ConfigureAwait(false);
        return response.IsSuccess
            ? AgentAnswer.Result("success").With("caches", new JsonArray([.. response.Value.Select(one => (JsonNode)one.Name)]))
            : AgentAnswer.FailedOr(response);
    }

    private static async Task<JsonObject> PublishAsync(Cache cache, JsonElement line, CancellationToken stop)
    {
        // If the request contains text, the message is published as text. If it contains base64, the message is published as bytes.
        CacheBytes value = line.Text("value") is { } text ? text : line.Bytes("value");
        CacheResult response = await cache.PublishAsync(AgentTopics.TopicOf(line), value, stop).ConfigureAwait(false);
        return response.IsSuccess ? AgentAnswer.Result("success") : AgentAnswer.FailedOr(response);
    }

    private static JsonObject Responses(IEnumerable<JsonObject> answers) => AgentAnswer.Result("success").With("responses", new JsonArray([.. answers]));

    private static CacheBytes[] Keys(JsonElement line) => Items(line, "keys", item => (CacheBytes)item.Bytes("key"));

    private static T[] Items<T>(JsonElement line, string field, Func<JsonElement, T> read) =>
        line.TryGetProperty(field, out JsonElement items) ? [.. items.EnumerateArray().Select(read)] : throw new AgentException($"{field} is missing");
}
