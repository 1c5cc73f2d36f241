using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>The agent's wrapper of the Larder .NET client.</summary>
internal sealed class LarderAgent : IAgentClient
{
    private readonly CacheClient _client;
    private readonly AgentOperations _operations;
    private readonly AgentCreation _creation;
    private readonly AgentTopics _topics;
    private readonly AgentNear _near;
    private readonly Cache _cache;

    private LarderAgent(CacheClient client, string cache)
    {
        _client = client;
        _cache = client.Cache(cache);
        _operations = new AgentOperations(client, cache);
        _creation = new AgentCreation(client, cache);
        _topics = new AgentTopics(client, cache);
        _near = new AgentNear(client, _cache);
        Target = new LoadLarder(_cache);
    }

    /// <inheritdoc/>
    public ILoadTarget Target { get; }

    /// <inheritdoc/>
    public ILoadTarget TargetOf(LoadCalls calls) => calls switch
    {
        LoadCalls.Fields => new LoadFields(_cache),
        LoadCalls.Queues => new LoadQueues(_cache),
        LoadCalls.Ranks => new LoadRanks(_cache),
        _ => Target,
    };

    /// <inheritdoc/>
    public int? Connections => _client.Connections;

    /// <summary>Creates the client for an <c>open</c> request.</summary>
    public static async Task<IAgentClient> OpenAsync(JsonElement request)
    {
        Configuration configuration = AgentConfiguration.From(request);
        var ttl = TimeSpan.FromMilliseconds(request.Number("defaultTtlMs") ?? 60_000);
        CacheClient client = await CacheClient.CreateAsync(configuration, AgentConfiguration.Credentials(request), ttl).ConfigureAwait(false);
        return new LarderAgent(client, request.Text("cache") ?? "cache");
    }

    /// <inheritdoc/>
    public JsonObject Describe() => new()
    {
        ["client"] = "dotnet",
        ["version"] = typeof(CacheClient).Assembly.GetName().Version?.ToString(3),
        ["runtime"] = RuntimeInformation.FrameworkDescription,
        ["transport"] = JsonNamingPolicy.CamelCase.ConvertName(_client.TransportInUse.ToString()),
        ["maxInFlight"] = Limit(_client.InFlightLimit),
        ["adaptiveTargetMs"] = _client.Configuration.AdaptiveTarget?.TotalMilliseconds,
        ["channels"] = _client.Configuration.Channels,
    };

    /// <inheritdoc/>
    public void AddStats(JsonObject stats)
    {
        stats["inFlight"] = _client.InFlight;
        stats["inFlightLimit"] = Limit(_client.InFlightLimit);
        stats["queued"] = _client.Queued;
        stats["targetOutOfReach"] = _client.IsTargetOutOfReach;
        stats["near"] = AgentNear.Figures(_client.NearCache);
    }

    /// <inheritdoc/>
    public async Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation)
    {
        JsonObject? answer = await _topics.TryExecuteAsync(op, request, cancellation).ConfigureAwait(false)
            ?? await _near.TryExecuteAsync(op, request).ConfigureAwait(false)
            ?? await _creation.TryExecuteAsync(op, request, cancellation).ConfigureAwait(false);
        if (answer is not null)
        {
            return answer;
        }

        try
        {
            return await _operations.ExecuteAsync(op, request, cancellation).ConfigureAwait(false);
        }
        catch (ArgumentOutOfRangeException refused)
        {
            return AgentHost.Error(nameof(CacheErrorCode.InvalidArgument), refused.Message, null);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _topics.DisposeAsync().ConfigureAwait(false);
        await _client.DisposeAsync().ConfigureAwait(false);
    }

    private static JsonNode Limit(int limit) => limit == Configuration.Unlimited ? "off" : limit;
}
