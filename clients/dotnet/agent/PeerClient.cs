using System.Text.Json;
using System.Text.Json.Nodes;

namespace Larder.Agent;

/// <summary>The base class of all peers. They support loads but no other operations.</summary>
internal abstract class PeerClient : IAgentClient
{
    /// <inheritdoc/>
    public abstract ILoadTarget Target { get; }

    /// <inheritdoc/>
    public abstract int? Connections { get; }

    /// <inheritdoc/>
    public abstract JsonObject Describe();

    /// <inheritdoc/>
    public void AddStats(JsonObject stats)
    {
        stats["inFlight"] = null;
        stats["inFlightLimit"] = null;
        stats["queued"] = null;
    }

    /// <inheritdoc/>
    public virtual Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation) =>
        Task.FromException<JsonObject>(AgentException.Unsupported(op));

    /// <inheritdoc/>
    public abstract ValueTask DisposeAsync();
}
