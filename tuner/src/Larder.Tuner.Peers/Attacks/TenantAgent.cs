using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Tuner.Peers.Attacks;

/// <summary>An agent of a tenant that checks, between <c>checkBegin</c> and <c>checkEnd</c>, that the server still does what the tenant has paid for.</summary>
internal sealed class TenantAgent(TenantSettings settings) : IAgentClient
{
    private TenantChecks? _checks;

    /// <inheritdoc/>
    public ILoadTarget Target => throw AgentException.Unsupported("load");

    /// <inheritdoc/>
    public int? Connections => null;

    /// <summary>Reads the server of an <c>open</c> request.</summary>
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
            case "checkBegin" when _checks is null:
                _checks = await TenantChecks.StartAsync(settings).ConfigureAwait(false);
                return AgentAnswer.Result("success");
            case "checkEnd" when Interlocked.Exchange(ref _checks, null) is { } checks:
                JsonObject failures = await checks.StopAsync().ConfigureAwait(false);
                await checks.DisposeAsync().ConfigureAwait(false);
                return new JsonObject { ["result"] = "success", ["checks"] = checks.Count, ["failures"] = failures };
            default:
                throw AgentException.Unsupported(op);
        }
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
