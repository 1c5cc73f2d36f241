using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>
/// The get-or-create operations: many callers request one key concurrently, and a factory creates the value. Counts the calls of the factory.
/// </summary>
internal sealed class AgentCreation(CacheClient client, string defaultCache)
{
    private int _begun;

    /// <summary>Executes one operation. Returns null if this class does not implement the operation.</summary>
    /// <exception cref="AgentException">A field is missing.</exception>
    public async Task<JsonObject?> TryExecuteAsync(string op, JsonElement line, CancellationToken stop) => op switch
    {
        "getOrSet" => await CreateAsync(line, stop).ConfigureAwait(false),
        "made" => AgentAnswer.Result("success").With("made", Volatile.Read(ref _begun)),
        _ => null,
    };

    private async Task<JsonObject> CreateAsync(JsonElement line, CancellationToken stop)
    {
        Cache cache = client.Cache(line.Text("cache") ?? defaultCache);
        byte[] key = line.Bytes("key");
        byte[] value = line.Bytes("value");
        TimeSpan makes = TimeSpan.FromMilliseconds(line.Number("makesMs") ?? 0);
        GetOrCreateOptions? options = line.Number("leaseMs") is { } leaseMs
            ? new GetOrCreateOptions { Ttl = line.Ttl(), Lease = TimeSpan.FromMilliseconds(leaseMs) }
            : null;
        async ValueTask<byte[]> MakeAsync(CancellationToken abandoned)
        {
            Interlocked.Increment(ref _begun);
            await Task.Delay(makes, abandoned).ConfigureAwait(false);
            return value;
        }

        async Task<GetOrCreateResult<CacheValue>> AskAsync() => options is null
            ? await cache.GetOrCreateAsync(key, MakeAsync, line.Ttl(), stop).ConfigureAwait(false)
            : await cache.GetOrCreateAsync(key, MakeAsync, options, stop).ConfigureAwait(false);
        int callers = (int)(line.Number("callers") ?? 1);
        GetOrCreateResult<CacheValue>[] answers = await Task.WhenAll(Enumerable.Range(0, callers).Select(_ => AskAsync())).ConfigureAwait(false);
        IEnumerable<JsonObject> values = answers
            .DistinctBy(static each => Convert.ToBase64String(each.Value.Span))
            .Select(static each => new JsonObject().WithBytes("value", each.Value.Span));
        return AgentAnswer.Result("success").With("values", new JsonArray([.. values]));
    }
}
