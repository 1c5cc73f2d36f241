using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;
using Microsoft.Extensions.Caching.Memory;

namespace Larder.Lab.Peers.Near;

/// <summary>
/// Measures the alternatives to Larder's near cache in .NET, within this process. <c>nearHits</c> measures <c>memoryCache</c> or a plain <c>dictionary</c>.
/// </summary>
internal sealed class PlainCaches : PeerClient
{
    private static readonly TimeSpan s_ttl = TimeSpan.FromHours(1);

    /// <inheritdoc/>
    public override ILoadTarget Target => throw AgentException.Unsupported("load");

    /// <inheritdoc/>
    public override int? Connections => null;

    /// <summary>Returns an agent client that does not connect to a server.</summary>
    public static Task<IAgentClient> OpenAsync(JsonElement request) => Task.FromResult<IAgentClient>(new PlainCaches());

    /// <inheritdoc/>
    public override JsonObject Describe() => new() { ["client"] = "caches", ["runtime"] = RuntimeInformation.FrameworkDescription };

    /// <inheritdoc/>
    public override async Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation)
    {
        if (op != "nearHits")
        {
            throw AgentException.Unsupported(op);
        }

        string[] keys = [.. NearHits.Keys(request).Select(Encoding.UTF8.GetString)];
        byte[] value = new byte[NearHits.ValueBytes(request)];
        using MemoryCache memory = new(new MemoryCacheOptions());
        ConcurrentDictionary<string, byte[]> dictionary = new(keys.ToDictionary(static key => key, _ => value));
        foreach (string key in keys)
        {
            memory.Set(key, value, s_ttl);
        }

        return await NearHits.Times(request).MeasureAsync(keys.Length, value.Length, request.Text("what") switch
        {
            "memoryCache" => rounds => new(Sum(keys, rounds, key => memory.TryGetValue(key, out byte[]? found) ? found!.Length : 0)),
            "dictionary" => rounds => new(Sum(keys, rounds, key => dictionary.TryGetValue(key, out byte[]? found) ? found.Length : 0)),
            string other => throw new AgentException($"\"what\" must be memoryCache or dictionary, but is \"{other}\""),
            null => throw new AgentException("the request has no \"what\"; use memoryCache or dictionary"),
        }).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static long Sum(string[] keys, int rounds, Func<string, int> read)
    {
        long bytes = 0;
        for (int round = 0; round < rounds; round++)
        {
            foreach (string key in keys)
            {
                bytes += read(key);
            }
        }

        return bytes;
    }
}
