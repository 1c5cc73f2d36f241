using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Tuner.Tests.Load;

/// <summary>A client for an agent that stores items in a dictionary. It responds immediately. Tests can make its calls fail.</summary>
internal sealed class MemoryClient : IAgentClient, ILoadTarget
{
    private readonly ConcurrentDictionary<string, byte[]> _values = new();

    /// <summary>Gets the key for which every get returns the value of another key. Null if all gets are correct.</summary>
    public string? CrossedKey { get; init; }

    /// <summary>Gets the error code with which all sets fail. Null if they succeed.</summary>
    public string? SetsFailWith { get; init; }

    /// <summary>Gets the caller of the last call.</summary>
    public LoadCaller? LastCaller { get; private set; }

    public ILoadTarget Target => this;

    public int? Connections => 1;

    public JsonObject Describe() => new() { ["client"] = "memory" };

    public void AddStats(JsonObject stats) => stats["inFlight"] = 0;

    public async Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation)
    {
        if (op == "wait")
        {
            await Task.Delay(Timeout.Infinite, cancellation).ContinueWith(_ => { }, TaskScheduler.Default);
            return AgentHost.Error("Cancelled", "cancelled", null);
        }

        return op == "ping" ? new JsonObject { ["result"] = "success" } : throw AgentException.Unsupported(op);
    }

    public async Task RunAsync(LoadCaller caller)
    {
        LastCaller = caller;
        while (await caller.NextAsync())
        {
            await Task.Yield();
            if (!caller.IsRead)
            {
                await SetAsync(caller);
            }
            else if (_values.TryGetValue(Asked(caller.Key), out byte[]? value))
            {
                caller.Hit(value);
            }
            else
            {
                caller.Miss();
            }
        }
    }

    public Task<string?> SetAsync(byte[] key, byte[] value, TimeSpan ttl)
    {
        _values[Encoding.ASCII.GetString(key)] = value;
        return Task.FromResult<string?>(null);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private async Task SetAsync(LoadCaller caller)
    {
        if (SetsFailWith is { } code)
        {
            await caller.FailedAsync(code);
            return;
        }

        await SetAsync(caller.Key, caller.Value, caller.Ttl);
        caller.Stored();
    }

    private string Asked(byte[] key)
    {
        string text = Encoding.ASCII.GetString(key);
        return text == CrossedKey ? "larder-000000001" : text;
    }
}
