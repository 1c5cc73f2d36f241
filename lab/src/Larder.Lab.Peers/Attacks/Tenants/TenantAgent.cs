using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;
using Larder.Wire;

namespace Larder.Lab.Peers.Attacks;

/// <summary>
/// An agent that creates caches as an operator, and that acts as a tenant. Between <c>checkBegin</c> and <c>checkEnd</c> it checks that the server still
/// provides the service that the tenant expects.
/// </summary>
internal sealed class TenantAgent(TenantSettings settings) : IAgentClient
{
    // The field max_bytes of CreateCacheRequest.
    private const int QuotaField = 64;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(5);

    private TenantChecks? _checks;

    /// <inheritdoc/>
    public ILoadTarget Target => throw AgentException.Unsupported("load");

    /// <inheritdoc/>
    public int? Connections => null;

    /// <summary>Parses an <c>open</c> request.</summary>
    public static Task<IAgentClient> OpenAsync(JsonElement request) => Task.FromResult<IAgentClient>(new TenantAgent(TenantSettings.From(request)));

    /// <inheritdoc/>
    public JsonObject Describe() => new() { ["client"] = "tenant" };

    /// <inheritdoc/>
    public void AddStats(JsonObject stats)
    {
    }

    /// <inheritdoc/>
    public async Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation)
    {
        switch (op)
        {
            case "createCache":
                await CreateCacheAsync(request, cancellation).ConfigureAwait(false);
                return AgentAnswer.Result("success");
            case "checkBegin" when _checks is null:
                _checks = await TenantChecks.StartAsync(settings).ConfigureAwait(false);
                return AgentAnswer.Result("success");
            case "checkEnd" when Interlocked.Exchange(ref _checks, null) is { } checks:
                JsonObject failures = await checks.StopAsync().ConfigureAwait(false);
                await checks.DisposeAsync().ConfigureAwait(false);
                return new JsonObject { ["result"] = "success", ["checks"] = checks.Count, ["evicted"] = checks.Evicted, ["failures"] = failures };
            default:
                throw AgentException.Unsupported(op);
        }
    }

    // Creates a cache with a quota, as the operator.
    private async Task CreateCacheAsync(JsonElement request, CancellationToken cancellation)
    {
        string cache = request.Text("cache") ?? throw new AgentException("the request has no \"cache\"");
        byte[] create = [.. AttackItems.Name(cache), .. ProtoBytes.Number(QuotaField, request.GetProperty("maxBytes").GetUInt64())];
        await using RpcChannel channel = settings.Open();
        await channel
            .UnaryAsync(BytesCodec.Method("/control_client.ScsControl/CreateCache"), create, TenantSettings.Headers(settings.Operator), s_timeout, cancellation)
            .ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _checks, null) is { } checks)
        {
            await checks.StopAsync().ConfigureAwait(false);
            await checks.DisposeAsync().ConfigureAwait(false);
        }
    }
}
