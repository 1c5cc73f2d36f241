using System.Text.Json;
using System.Text.Json.Nodes;

namespace Larder.Agent;

/// <summary>The client that an agent owns, between <c>open</c> and <c>close</c>.</summary>
internal interface IAgentClient : IAsyncDisposable
{
    /// <summary>What a load is driven at.</summary>
    ILoadTarget Target { get; }

    /// <summary>What a load of such calls is driven at.</summary>
    /// <exception cref="AgentException">The client is not driven with them.</exception>
    ILoadTarget TargetOf(LoadCalls calls) => calls == LoadCalls.Items ? Target : throw AgentException.Unsupported($"load of {calls}");

    /// <summary>Open connections; null when the client does not tell.</summary>
    int? Connections { get; }

    /// <summary>The fields of the answer to <c>open</c>, but for <c>result</c> and <c>pid</c>.</summary>
    JsonObject Describe();

    /// <summary>Adds <c>inFlight</c>, <c>inFlightLimit</c> and <c>queued</c>, null where the client does not tell.</summary>
    void AddStats(JsonObject stats);

    /// <summary>Does one operation; its answer without the id.</summary>
    Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation);
}
